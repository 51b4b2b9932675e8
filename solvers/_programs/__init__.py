"""The doors to LP and exact linear algebra libraries."""
