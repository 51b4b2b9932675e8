"""Policy gradients: softmax policies in tables, by sampling and exactly."""
