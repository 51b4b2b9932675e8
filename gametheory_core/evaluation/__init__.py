"""Values of given profiles; the reference, exact on exact input."""
