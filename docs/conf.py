# SPDX-FileCopyrightText: Heliodor contributors
# SPDX-License-Identifier: Apache-2.0
"""Sphinx: the pages of this folder as HTML. tools/docs builds them."""

project = "Heliodor"
copyright = "Heliodor contributors"
extensions = ["myst_parser"]
myst_heading_anchors = 3
exclude_patterns = []
html_theme = "furo"
html_title = "Heliodor"
html_show_copyright = False
# The languages of console sessions and of our own program text are not highlighted.
highlight_language = "none"
