-- A condition that always holds and that the planner takes for dear, so that a statement which finds single rows by
-- their key probes the index however small the table looks. A plan that was made while a table was all of one page is
-- kept while it grows: until the next statistics each single row would be found by reading the whole table. Nothing may
-- inline it, which a function in SQL would be.

create function probed() returns boolean language plpgsql stable parallel safe cost 10000
  as $$ begin return true; end $$;
