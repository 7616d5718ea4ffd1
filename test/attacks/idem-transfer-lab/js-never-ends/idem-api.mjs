import './honest.ts';

for (;;);
