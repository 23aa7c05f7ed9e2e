"""What travels between server and page: messages, frames, REST bodies, and their JSON Schema."""
