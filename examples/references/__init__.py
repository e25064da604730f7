"""Answers of the examples that do not come from Trammel; see references.py beside this folder."""
