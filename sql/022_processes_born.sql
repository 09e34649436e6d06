-- By what a process of the same machine sees at once that another has ended (src/platform/neighbours.ts), and frees its
-- leases without waiting for the end of their time. Empty where the kernel does not tell, and for older releases.

alter table processes add column place text, add column born text;
