"""Roll-ups (003, phase 3; 000): old memories that belong together become one."""
