--
-- PostgreSQL database dump
--


-- Dumped from database version 15.18 (Debian 15.18-0+deb12u1)
-- Dumped by pg_dump version 15.18 (Debian 15.18-0+deb12u1)

SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;

--
-- Name: bullmq; Type: SCHEMA; Schema: -; Owner: -
--

CREATE SCHEMA bullmq;


--
-- Name: dep_status; Type: TYPE; Schema: bullmq; Owner: -
--

CREATE TYPE bullmq.dep_status AS ENUM (
    'pending',
    'processed',
    'ignored',
    'failed'
);


--
-- Name: job_state; Type: TYPE; Schema: bullmq; Owner: -
--

CREATE TYPE bullmq.job_state AS ENUM (
    'waiting',
    'active',
    'completed',
    'failed',
    'delayed',
    'waiting-children'
);


--
-- Name: add_flow(jsonb); Type: FUNCTION; Schema: bullmq; Owner: -
--

CREATE FUNCTION bullmq.add_flow(p_entries jsonb) RETURNS SETOF text
    LANGUAGE plpgsql
    SET search_path TO 'bullmq'
    AS $$
BEGIN
  PERFORM lock_producer_queues(p_entries);
  RETURN QUERY SELECT * FROM add_flow_unlocked(p_entries);
END;
$$;


--
-- Name: add_flow_unlocked(jsonb); Type: FUNCTION; Schema: bullmq; Owner: -
--

CREATE FUNCTION bullmq.add_flow_unlocked(p_entries jsonb) RETURNS SETOF text
    LANGUAGE plpgsql
    SET search_path TO 'bullmq'
    AS $$
DECLARE
  e              jsonb;
  v_id           text;
  v_seq          bigint;
  v_state        job_state;
  v_process_at   bigint;
  v_queue        text;
  v_delay        bigint;
  v_timestamp    bigint;
  v_lifo         boolean;
  v_parent_queue text;
  v_parent_id    text;
  v_awc          boolean;
  v_dedup_id     text;
  v_dedup        jsonb;
  v_winner       text;
  v_inserted     boolean;
  v_code         integer;
  v_lock_key     integer;
  v_ev_queue     text[]  := '{}';
  v_ev_event     text[]  := '{}';
  v_ev_data      jsonb[] := '{}';
  v_notify_jobs  text[]  := '{}';
  v_max          integer;
  v_parents_q    text[]  := '{}';
  v_parents_id   text[]  := '{}';
  v_failed_parents_q  text[] := '{}';
  v_failed_parents_id text[] := '{}';
  v_pq           text;
  v_pid          text;
  v_remaining    integer;
  v_now          bigint;
BEGIN
  -- Finish-and-fetch holds its dedup advisory lock while promoting delayed
  -- jobs. Take all batch locks before any job/sequence mutation, ordered by
  -- the actual lock key so reversed batches and hash collisions agree.
  FOR v_lock_key IN
    SELECT DISTINCT hashtext(
      'bullmq:dedup:' || (value ->> 'queue') || ':' || (value ->> 'dedupId'))
      FROM jsonb_array_elements(p_entries)
     WHERE value ->> 'dedupId' IS NOT NULL AND value ->> 'dedupId' <> ''
     ORDER BY 1
  LOOP
    PERFORM pg_advisory_xact_lock(v_lock_key);
  END LOOP;

  FOR e IN SELECT value FROM jsonb_array_elements(p_entries)
  LOOP
    v_queue        := e ->> 'queue';
    v_id           := COALESCE(e ->> 'id', '');
    v_delay        := COALESCE((e ->> 'delay')::bigint, 0);
    v_timestamp    := COALESCE((e ->> 'timestamp')::bigint, 0);
    v_lifo         := COALESCE((e ->> 'lifo')::boolean, false);
    v_parent_queue := e ->> 'parentQueue';
    v_parent_id    := e ->> 'parentId';
    v_awc          := COALESCE((e ->> 'addToWaitingChildren')::boolean, false);
    v_dedup_id     := e ->> 'dedupId';

    IF v_id IS NULL OR v_id = '' THEN
      v_id := next_job_id(v_queue);
    END IF;

    IF v_dedup_id IS NOT NULL AND v_dedup_id <> '' THEN
      v_dedup := COALESCE(e -> 'opts' -> 'deduplication',
                          e -> 'opts' -> 'debounce',
                          jsonb_build_object('id', v_dedup_id));
      v_winner := deduplicate_job(v_queue, v_dedup, v_id, v_timestamp,
        e ->> 'name', COALESCE((e ->> 'data')::jsonb, '{}'::jsonb),
        COALESCE(e -> 'opts', '{}'::jsonb));
      IF v_winner IS NOT NULL THEN
        RETURN NEXT v_winner;
        CONTINUE;
      END IF;
    END IF;

    IF v_parent_id IS NOT NULL AND v_parent_queue IS NOT NULL
       AND NOT EXISTS (
         SELECT 1 FROM job
          WHERE queue = v_parent_queue AND id = v_parent_id
       ) THEN
      RETURN NEXT '-5';
      CONTINUE;
    END IF;

    v_seq := nextval('job_seq');
    IF v_lifo THEN
      v_seq := -v_seq;
    END IF;

    IF v_awc THEN
      v_state := 'waiting-children';
      v_process_at := NULL;
    ELSIF v_delay > 0 THEN
      v_state := 'delayed';
      v_process_at := v_timestamp + v_delay;
    ELSE
      v_state := 'waiting';
      v_process_at := NULL;
    END IF;

    INSERT INTO job (
      queue, id, seq, name, state,
      data, opts, priority, delay_ms, max_attempts,
      added_at_ms, process_at_ms,
      dedup_id, scheduler_id,
      parent_queue, parent_id, parent_key, pending_deps
    ) VALUES (
      v_queue, v_id, v_seq, e ->> 'name', v_state,
      COALESCE((e ->> 'data')::jsonb, '{}'::jsonb),
      COALESCE(e -> 'opts', '{}'::jsonb),
      COALESCE((e ->> 'priority')::integer, 0), v_delay,
      COALESCE((e ->> 'attempts')::integer, 1),
      v_timestamp, v_process_at,
      e ->> 'dedupId', e ->> 'schedulerId',
      v_parent_queue, v_parent_id, e ->> 'parentKey', 0
    )
    ON CONFLICT (queue, id) DO NOTHING;
    GET DIAGNOSTICS v_inserted = ROW_COUNT;

    IF v_parent_id IS NOT NULL AND v_parent_queue IS NOT NULL THEN
      v_parents_q  := array_append(v_parents_q, v_parent_queue);
      v_parents_id := array_append(v_parents_id, v_parent_id);

      IF v_inserted THEN
        INSERT INTO job_dependency (
          parent_queue, parent_id, child_queue, child_id, child_key, status
        ) VALUES (
          v_parent_queue, v_parent_id, v_queue, v_id,
          v_queue || ':' || v_id, 'pending'
        )
        ON CONFLICT (parent_queue, parent_id, child_key) DO NOTHING;

        UPDATE job
           SET pending_deps = pending_deps + 1
         WHERE queue = v_parent_queue AND id = v_parent_id;
      ELSE
        v_code := handle_duplicated_job(v_queue, v_id,
          v_parent_queue, v_parent_id, e ->> 'parentKey', v_timestamp, true);
        IF v_code = -7 THEN
          v_failed_parents_q  := array_append(v_failed_parents_q, v_parent_queue);
          v_failed_parents_id := array_append(v_failed_parents_id, v_parent_id);
          RETURN NEXT '-7';
          CONTINUE;
        END IF;
      END IF;
    END IF;

    IF v_inserted THEN
      v_ev_queue := array_append(v_ev_queue, v_queue);
      v_ev_event := array_append(v_ev_event, 'added');
      v_ev_data  := array_append(v_ev_data,
        jsonb_build_object('jobId', v_id, 'name', e ->> 'name'));
      IF v_state = 'waiting' THEN
        v_ev_queue    := array_append(v_ev_queue, v_queue);
        v_ev_event    := array_append(v_ev_event, 'waiting');
        v_ev_data     := array_append(v_ev_data,
          jsonb_build_object('jobId', v_id));
        v_notify_jobs := array_append(v_notify_jobs, v_queue);
      ELSIF v_state = 'delayed' THEN
        v_ev_queue    := array_append(v_ev_queue, v_queue);
        v_ev_event    := array_append(v_ev_event, 'delayed');
        v_ev_data     := array_append(v_ev_data,
          jsonb_build_object('jobId', v_id, 'delay', v_process_at));
        v_notify_jobs := array_append(v_notify_jobs, v_queue);
      ELSIF v_state = 'waiting-children' THEN
        v_ev_queue := array_append(v_ev_queue, v_queue);
        v_ev_event := array_append(v_ev_event, 'waiting-children');
        v_ev_data  := array_append(v_ev_data,
          jsonb_build_object('jobId', v_id));
      END IF;
    END IF;

    RETURN NEXT v_id;
  END LOOP;

  IF array_length(v_ev_queue, 1) > 0 THEN
    INSERT INTO event (queue, event, data, created_at_ms)
    SELECT q, ev, dat, (extract(epoch FROM clock_timestamp()) * 1000)::bigint
      FROM unnest(v_ev_queue, v_ev_event, v_ev_data)
             WITH ORDINALITY AS t(q, ev, dat, ord)
     ORDER BY ord;

    FOR v_queue IN SELECT DISTINCT q FROM unnest(v_ev_queue) AS q LOOP
      PERFORM pg_notify('bullmq_events', v_queue);

      SELECT value::integer INTO v_max
        FROM meta
       WHERE queue = v_queue AND field = 'opts.maxLenEvents';
      IF v_max IS NULL THEN
        v_max := 10000;
      END IF;
      IF v_max > 0
         AND pg_try_advisory_xact_lock(hashtext('bullmq:evtrim:' || v_queue))
      THEN
        DELETE FROM event
         WHERE queue = v_queue
           AND id <= (SELECT max(id) FROM event WHERE queue = v_queue)
                     - v_max;
      END IF;
    END LOOP;

    FOR v_queue IN SELECT DISTINCT q FROM unnest(v_notify_jobs) AS q LOOP
      PERFORM pg_notify('bullmq_jobs', v_queue);
    END LOOP;
  END IF;

  IF array_length(v_parents_q, 1) > 0 THEN
    v_now := (extract(epoch FROM clock_timestamp()) * 1000)::bigint;
    FOR v_pq, v_pid IN
      SELECT DISTINCT pq, pid
        FROM unnest(v_parents_q, v_parents_id) AS t(pq, pid)
       WHERE NOT EXISTS (
         SELECT 1
           FROM unnest(v_failed_parents_q, v_failed_parents_id) AS f(pq, pid)
          WHERE f.pq = t.pq AND f.pid = t.pid
       )
    LOOP
      SELECT pending_deps INTO v_remaining
        FROM job WHERE queue = v_pq AND id = v_pid;
      IF COALESCE(v_remaining, 0) = 0 THEN
        PERFORM move_parent_to_wait(v_pq, v_pid, v_now);
      END IF;
    END LOOP;
  END IF;
END;
$$;


--
-- Name: add_job(text, text, text, jsonb, jsonb, integer, bigint, bigint, integer, text, text, text, text, text, boolean); Type: FUNCTION; Schema: bullmq; Owner: -
--

CREATE FUNCTION bullmq.add_job(p_queue text, p_id text, p_name text, p_data jsonb, p_opts jsonb, p_priority integer, p_delay bigint, p_timestamp bigint, p_max_attempts integer, p_parent_queue text, p_parent_id text, p_parent_key text, p_dedup_id text, p_scheduler_id text, p_lifo boolean) RETURNS text
    LANGUAGE plpgsql
    SET search_path TO 'bullmq'
    AS $$
BEGIN
  PERFORM lock_producer_queues(jsonb_build_array(jsonb_build_object(
    'queue', p_queue, 'parentQueue', p_parent_queue)));
  RETURN add_job_unlocked(
    p_queue, p_id, p_name, p_data, p_opts, p_priority, p_delay, p_timestamp,
    p_max_attempts, p_parent_queue, p_parent_id, p_parent_key, p_dedup_id,
    p_scheduler_id, p_lifo);
END;
$$;


--
-- Name: add_job_scheduler(text, text, bigint, jsonb, jsonb, jsonb, jsonb, bigint, text); Type: FUNCTION; Schema: bullmq; Owner: -
--

CREATE FUNCTION bullmq.add_job_scheduler(p_queue text, p_scheduler_id text, p_next_millis bigint, p_template_data jsonb, p_template_opts jsonb, p_opts jsonb, p_delayed_opts jsonb, p_now bigint, p_producer_id text) RETURNS TABLE(job_id text, delay bigint)
    LANGUAGE plpgsql
    SET search_path TO 'bullmq'
    AS $$
DECLARE
  v_name    text    := p_opts ->> 'name';
  v_tz      text    := p_opts ->> 'tz';
  v_pattern text    := p_opts ->> 'pattern';
  v_every   bigint  := (p_opts ->> 'every')::bigint;
  v_offset  bigint  := COALESCE((p_opts ->> 'offset')::bigint,
                                (p_delayed_opts #>> '{repeat,offset}')::bigint, 0);
  v_offset_provided boolean := (p_opts ->> 'offset') IS NOT NULL
                            OR (p_delayed_opts #>> '{repeat,offset}') IS NOT NULL;
  v_start   bigint  := (p_opts ->> 'startDate')::bigint;
  v_end     bigint  := (p_opts ->> 'endDate')::bigint;
  v_limit   integer := (p_opts ->> 'limit')::integer;
  v_prev    bigint;
  v_millis  bigint;
  v_prev_every bigint;
  v_existing_offset bigint;
  v_ic      integer;
  v_next    bigint  := p_next_millis;
  v_updated_every boolean := false;
  v_removed boolean := false;
  v_collision boolean := false;
  v_new_offset bigint := v_offset;
  v_em      bigint[];
  v_jobid   text;
  v_delay   bigint;
  v_state   job_state;
  v_seq     bigint;
BEGIN
  SELECT next_run_ms, every_ms, iteration_count, offset_ms
    INTO v_prev, v_prev_every, v_ic, v_existing_offset
    FROM scheduler WHERE queue = p_queue AND scheduler_id = p_scheduler_id;

  -- `v_prev` is the previous iteration (used for removal); `v_millis` seeds the
  -- `every` formula and is reset to NULL when the interval itself changed.
  v_millis := v_prev;
  IF v_every IS NOT NULL THEN
    IF v_prev IS NOT NULL AND v_prev_every IS DISTINCT FROM v_every THEN
      v_millis := NULL;
      v_updated_every := true;
    END IF;
    v_em := scheduler_every_next_millis(v_millis, v_every, p_now, v_offset, v_start);
    v_next := v_em[1];
    v_new_offset := v_em[2];
    -- Preserve the offset established at scheduler creation. On re-upsert of an
    -- existing scheduler without an explicit offset, keep the stored offset
    -- instead of recomputing it against the (possibly changed) `every`. Mirrors
    -- Redis storeJobScheduler, which writes a freshly-computed offset only on
    -- first creation and otherwise preserves the existing hash field.
    IF NOT v_offset_provided AND v_existing_offset IS NOT NULL THEN
      v_new_offset := v_existing_offset;
    END IF;
  END IF;

  -- Remove the previous iteration's (still-pending) job, if any.
  IF v_prev IS NOT NULL THEN
    DELETE FROM job
     WHERE queue = p_queue
       AND id = 'repeat:' || p_scheduler_id || ':' || v_prev
       AND state IN ('delayed', 'waiting');
    IF FOUND THEN
      v_removed := true;
    END IF;
  END IF;

  IF v_removed AND v_every IS NOT NULL AND NOT v_updated_every THEN
    v_next := v_prev;
  END IF;

  -- Collision: a job with the next id already exists in a non-replaceable state
  -- (e.g. it is active). For `every` we try the following slot; for `pattern`
  -- we fail — unless we just removed the previous job (override replaces it).
  v_jobid := 'repeat:' || p_scheduler_id || ':' || v_next;
  IF EXISTS (SELECT 1 FROM job WHERE queue = p_queue AND id = v_jobid) THEN
    IF v_every IS NOT NULL THEN
      v_next := v_next + v_every;
      v_jobid := 'repeat:' || p_scheduler_id || ':' || v_next;
      IF EXISTS (SELECT 1 FROM job WHERE queue = p_queue AND id = v_jobid) THEN
        RAISE EXCEPTION 'scheduler job slots busy'
          USING ERRCODE = 'BM001', DETAIL = '-11';
      END IF;
    ELSIF NOT v_removed THEN
      RAISE EXCEPTION 'scheduler job id collision'
        USING ERRCODE = 'BM001', DETAIL = '-10';
    ELSE
      v_collision := true;
    END IF;
  END IF;

  v_delay := GREATEST(v_next - p_now, 0);

  -- Upsert the scheduler row (iteration count preserved, or 1 the first time).
  INSERT INTO scheduler (
    queue, scheduler_id, name, next_run_ms, pattern, every_ms, tz,
    start_date_ms, end_date_ms, limit_count, iteration_count, offset_ms,
    template_data, template_opts, producer_id
  ) VALUES (
    p_queue, p_scheduler_id, v_name, v_next, v_pattern, v_every, v_tz,
    v_start, v_end, v_limit, COALESCE(v_ic, 1), v_new_offset,
    p_template_data, p_template_opts, p_producer_id
  )
  ON CONFLICT (queue, scheduler_id) DO UPDATE SET
    name = EXCLUDED.name,
    next_run_ms = EXCLUDED.next_run_ms,
    pattern = EXCLUDED.pattern,
    every_ms = EXCLUDED.every_ms,
    tz = EXCLUDED.tz,
    start_date_ms = EXCLUDED.start_date_ms,
    end_date_ms = EXCLUDED.end_date_ms,
    limit_count = EXCLUDED.limit_count,
    offset_ms = EXCLUDED.offset_ms,
    template_data = EXCLUDED.template_data,
    template_opts = EXCLUDED.template_opts,
    producer_id = EXCLUDED.producer_id;

  -- Create the next delayed (or immediately-ready) job. When `v_collision` we
  -- are replacing an existing (removed-prev) row, so fully reset it.
  v_seq := nextval('job_seq');
  IF v_delay > 0 THEN
    v_state := 'delayed';
  ELSE
    v_state := 'waiting';
  END IF;

  INSERT INTO job (
    queue, id, seq, name, state, data, opts, priority, delay_ms, max_attempts,
    added_at_ms, process_at_ms, scheduler_id
  ) VALUES (
    p_queue, v_jobid, v_seq, v_name, v_state,
    COALESCE(p_template_data, '{}'::jsonb),
    COALESCE(p_delayed_opts, '{}'::jsonb)
      || jsonb_build_object('delay', v_delay, 'jobId', v_jobid),
    COALESCE((p_delayed_opts ->> 'priority')::integer, 0), v_delay,
    COALESCE((p_delayed_opts ->> 'attempts')::integer, 1),
    COALESCE((p_delayed_opts ->> 'timestamp')::bigint, p_now),
    CASE WHEN v_delay > 0 THEN v_next ELSE NULL END, p_scheduler_id
  )
  ON CONFLICT (queue, id) DO UPDATE SET
    seq = EXCLUDED.seq,
    name = EXCLUDED.name,
    state = EXCLUDED.state,
    data = EXCLUDED.data,
    opts = EXCLUDED.opts,
    priority = EXCLUDED.priority,
    delay_ms = EXCLUDED.delay_ms,
    max_attempts = EXCLUDED.max_attempts,
    attempts_made = 0,
    attempts_started = 0,
    added_at_ms = EXCLUDED.added_at_ms,
    process_at_ms = EXCLUDED.process_at_ms,
    processed_at_ms = NULL,
    finished_at_ms = NULL,
    return_value = NULL,
    failed_reason = NULL,
    stacktrace = NULL,
    lock_token = NULL,
    locked_until_ms = NULL,
    stalled_count = 0,
    processed_by = NULL,
    scheduler_id = EXCLUDED.scheduler_id;

  PERFORM pg_notify('bullmq_jobs', p_queue);

  job_id := v_jobid;
  delay := v_delay;
  RETURN NEXT;
END;
$$;


--
-- Name: add_job_unlocked(text, text, text, jsonb, jsonb, integer, bigint, bigint, integer, text, text, text, text, text, boolean); Type: FUNCTION; Schema: bullmq; Owner: -
--

CREATE FUNCTION bullmq.add_job_unlocked(p_queue text, p_id text, p_name text, p_data jsonb, p_opts jsonb, p_priority integer, p_delay bigint, p_timestamp bigint, p_max_attempts integer, p_parent_queue text, p_parent_id text, p_parent_key text, p_dedup_id text, p_scheduler_id text, p_lifo boolean) RETURNS text
    LANGUAGE plpgsql
    SET search_path TO 'bullmq'
    AS $$
DECLARE
  v_id    text := p_id;
  v_seq   bigint;
  v_state job_state;
  v_process_at bigint;
  v_inserted boolean;
  v_dedup    jsonb;
  v_existing text;
BEGIN
  -- Serialize all dedup operations for this id (mirrors Redis's single-threaded
  -- atomicity: two READ COMMITTED adds could otherwise both read "no live key"
  -- and both insert). Acquired FIRST — before the id-counter INCR below — so the
  -- add and finish paths always take the locks in the same order (advisory then
  -- the id-counter row), which rules out a deadlock with requeue's own INCR.
  -- Transaction-scoped: released when this add commits.
  IF p_dedup_id IS NOT NULL AND p_dedup_id <> '' THEN
    PERFORM pg_advisory_xact_lock(
      hashtext('bullmq:dedup:' || p_queue || ':' || p_dedup_id));
  END IF;

  IF v_id IS NULL OR v_id = '' THEN
    v_id := next_job_id(p_queue);
  END IF;

  -- Deduplication: if a live key wins, skip the insert and return its id.
  IF p_dedup_id IS NOT NULL AND p_dedup_id <> '' THEN
    v_dedup := COALESCE(p_opts->'deduplication', p_opts->'debounce',
                        jsonb_build_object('id', p_dedup_id));
    v_existing := deduplicate_job(p_queue, v_dedup, v_id, p_timestamp,
      p_name, COALESCE(p_data, '{}'::jsonb), COALESCE(p_opts, '{}'::jsonb));
    IF v_existing IS NOT NULL THEN
      RETURN v_existing;
    END IF;
  END IF;

  -- Verify the parent exists before inserting (atomic: a failure rolls back).
  IF p_parent_id IS NOT NULL AND p_parent_queue IS NOT NULL THEN
    IF NOT EXISTS (
      SELECT 1 FROM job WHERE queue = p_parent_queue AND id = p_parent_id
    ) THEN
      RAISE EXCEPTION 'bullmq: missing parent %', p_parent_key
        USING ERRCODE = 'BM001', DETAIL = '-5';
    END IF;
  END IF;

  v_seq := nextval('job_seq');
  IF p_lifo THEN
    v_seq := -v_seq;
  END IF;

  IF p_delay > 0 THEN
    v_state := 'delayed';
    v_process_at := p_timestamp + p_delay;
  ELSE
    v_state := 'waiting';
    v_process_at := NULL;
  END IF;

  INSERT INTO job (
    queue, id, seq, name, state,
    data, opts, priority, delay_ms, max_attempts,
    added_at_ms, process_at_ms,
    dedup_id, scheduler_id,
    parent_queue, parent_id, parent_key
  ) VALUES (
    p_queue, v_id, v_seq, p_name, v_state,
    COALESCE(p_data, '{}'::jsonb), COALESCE(p_opts, '{}'::jsonb),
    COALESCE(p_priority, 0), COALESCE(p_delay, 0), COALESCE(p_max_attempts, 1),
    p_timestamp, v_process_at,
    p_dedup_id, p_scheduler_id,
    p_parent_queue, p_parent_id, p_parent_key
  )
  ON CONFLICT (queue, id) DO NOTHING;

  GET DIAGNOSTICS v_inserted = ROW_COUNT;

  IF v_inserted AND p_parent_id IS NOT NULL AND p_parent_queue IS NOT NULL THEN
    INSERT INTO job_dependency (
      parent_queue, parent_id, child_queue, child_id, child_key, status
    ) VALUES (
      p_parent_queue, p_parent_id, p_queue, v_id,
      p_queue || ':' || v_id, 'pending'
    )
    ON CONFLICT (parent_queue, parent_id, child_key) DO NOTHING;

    UPDATE job
       SET pending_deps = pending_deps + 1
     WHERE queue = p_parent_queue AND id = p_parent_id;
  END IF;

  -- The job already existed: re-attach it to the new parent (or, with no
  -- parent, just announce the duplicate). -7 = it already has a different one.
  IF NOT v_inserted THEN
    IF handle_duplicated_job(p_queue, v_id, p_parent_queue,
         p_parent_id, p_parent_key, p_timestamp) = -7 THEN
      RAISE EXCEPTION 'bullmq: parent cannot be replaced'
        USING ERRCODE = 'BM001', DETAIL = '-7';
    END IF;
  END IF;

  IF v_inserted THEN
    PERFORM pg_notify('bullmq_jobs', p_queue);
    -- Every stored job announces itself (mirrors storeJob.lua's 'added').
    PERFORM publish_event(p_queue, 'added',
      jsonb_build_object('jobId', v_id, 'name', p_name));
    IF v_state = 'delayed' THEN
      PERFORM publish_event(p_queue, 'delayed',
        jsonb_build_object('jobId', v_id, 'delay', v_process_at));
    ELSE
      PERFORM publish_event(p_queue, 'waiting',
        jsonb_build_object('jobId', v_id));
    END IF;
  END IF;

  RETURN v_id;
END;
$$;


--
-- Name: add_jobs_bulk(text, jsonb); Type: FUNCTION; Schema: bullmq; Owner: -
--

CREATE FUNCTION bullmq.add_jobs_bulk(p_queue text, p_entries jsonb) RETURNS SETOF text
    LANGUAGE plpgsql
    SET search_path TO 'bullmq'
    AS $$
BEGIN
  PERFORM lock_producer_queues(jsonb_build_array(
    jsonb_build_object('queue', p_queue)));
  RETURN QUERY SELECT * FROM add_jobs_bulk_unlocked(p_queue, p_entries);
END;
$$;


--
-- Name: add_jobs_bulk_unlocked(text, jsonb); Type: FUNCTION; Schema: bullmq; Owner: -
--

CREATE FUNCTION bullmq.add_jobs_bulk_unlocked(p_queue text, p_entries jsonb) RETURNS SETOF text
    LANGUAGE plpgsql
    SET search_path TO 'bullmq'
    AS $$
DECLARE
  v_seq_name text := job_id_seq_name(p_queue);
BEGIN
  -- Ensure the per-queue id sequence exists (mirrors next_job_id).
  IF to_regclass(v_seq_name) IS NULL THEN
    PERFORM pg_advisory_xact_lock(hashtext('bullmq:jidseq:' || p_queue));
    EXECUTE format('CREATE SEQUENCE IF NOT EXISTS %I', v_seq_name);
  END IF;

  DROP TABLE IF EXISTS pg_temp._bulk_inserted;
  DROP TABLE IF EXISTS pg_temp._bulk_result;

  CREATE TEMP TABLE _bulk_result ON COMMIT DROP AS
  WITH elems AS (
    SELECT value AS j, ord
      FROM jsonb_array_elements(p_entries) WITH ORDINALITY AS e(value, ord)
  ),
  prepared AS (
    SELECT
      ord,
      COALESCE(NULLIF(j->>'id', ''), nextval(v_seq_name::regclass)::text) AS id,
      j->>'name'                                        AS name,
      COALESCE((j->>'data')::jsonb, '{}'::jsonb)        AS data,
      COALESCE(j->'opts', '{}'::jsonb)                  AS opts,
      COALESCE((j->>'priority')::integer, 0)            AS priority,
      COALESCE((j->>'delay')::bigint, 0)                AS delay,
      COALESCE((j->>'timestamp')::bigint, 0)            AS ts,
      COALESCE((j->>'attempts')::integer, 1)            AS attempts,
      j->>'schedulerId'                                 AS scheduler_id,
      COALESCE((j->>'lifo')::boolean, false)            AS lifo
      FROM elems
  ),
  -- Reserve one global FIFO seq per row and pair the ord-th smallest reserved
  -- value with the ord-th entry, so seq is strictly monotonic in input order
  -- regardless of evaluation order.
  reserved AS (
    SELECT ord, nextval('job_seq') AS s FROM prepared
  ),
  rr AS (SELECT s, row_number() OVER (ORDER BY s) AS rn FROM reserved),
  rp AS (SELECT prepared.*, row_number() OVER (ORDER BY ord) AS rn FROM prepared),
  final AS (
    SELECT rp.ord, rp.id, rp.name, rp.data, rp.opts, rp.priority, rp.delay,
           rp.ts, rp.attempts, rp.scheduler_id,
           CASE WHEN rp.lifo THEN -rr.s ELSE rr.s END AS seq,
           CASE WHEN rp.delay > 0 THEN 'delayed'::job_state
                ELSE 'waiting'::job_state END   AS state,
           CASE WHEN rp.delay > 0 THEN rp.ts + rp.delay ELSE NULL END AS process_at
      FROM rp JOIN rr ON rp.rn = rr.rn
  )
  SELECT * FROM final ORDER BY ord;

  -- Insert the batch, capturing ONLY the rows actually inserted: ON CONFLICT
  -- skips ids that already exist and in-batch duplicate ids. Events and the
  -- wakeup are driven from this set, so a batch that repeats or reuses an id
  -- does not emit spurious added/waiting/delayed events or a bogus NOTIFY —
  -- mirroring add_flow's per-row `IF v_inserted` gating.
  CREATE TEMP TABLE _bulk_inserted ON COMMIT DROP AS
  WITH ins AS (
    INSERT INTO job (
      queue, id, seq, name, state, data, opts, priority, delay_ms, max_attempts,
      added_at_ms, process_at_ms, scheduler_id, pending_deps
    )
    SELECT p_queue, id, seq, name, state, data, opts, priority, delay, attempts,
           ts, process_at, scheduler_id, 0
      FROM _bulk_result
    ON CONFLICT (queue, id) DO NOTHING
    RETURNING id, seq, name, state, process_at_ms
  )
  SELECT * FROM ins;

  -- One set-based event flush ('added' then the state event per inserted job),
  -- ordered by each inserted job's first input ordinality so stream ordering
  -- matches caller payload order even when seq is negated by LIFO.
  INSERT INTO event (queue, event, data, created_at_ms)
  WITH inserted AS (
    SELECT i.id, i.name, i.state, i.process_at_ms, MIN(r.ord) AS ord
      FROM _bulk_inserted i
      JOIN _bulk_result r USING (id)
     GROUP BY i.id, i.name, i.state, i.process_at_ms
  )
  SELECT p_queue, ev, dat, (extract(epoch FROM clock_timestamp()) * 1000)::bigint
    FROM (
      SELECT ord * 2       AS o, 'added' AS ev,
             jsonb_build_object('jobId', id, 'name', name) AS dat
        FROM inserted
      UNION ALL
      SELECT ord * 2 + 1,
             CASE WHEN state = 'waiting' THEN 'waiting' ELSE 'delayed' END,
             CASE WHEN state = 'waiting'
                  THEN jsonb_build_object('jobId', id)
                  ELSE jsonb_build_object('jobId', id, 'delay', process_at_ms) END
        FROM inserted
    ) q
   ORDER BY o;

  IF EXISTS (SELECT 1 FROM _bulk_inserted) THEN
    PERFORM pg_notify('bullmq_jobs', p_queue);
  END IF;

  RETURN QUERY SELECT id FROM _bulk_result ORDER BY ord;
END;
$$;


--
-- Name: apply_retention(text, text, bullmq.job_state, bigint, boolean, bigint, integer); Type: FUNCTION; Schema: bullmq; Owner: -
--

CREATE FUNCTION bullmq.apply_retention(p_queue text, p_id text, p_state bullmq.job_state, p_now bigint, p_remove_all boolean, p_keep_age bigint, p_keep_count integer) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'bullmq'
    AS $$
DECLARE
  v_pq        text;
  v_pid       text;
  v_remaining integer;
BEGIN
  IF p_remove_all THEN
    -- If this job is a still-pending child (e.g. a default-failed child with
    -- removeOnFail), detach it and release its parent when it was the last
    -- pending dependency (mirrors removeParentDependencyKey on removal). A
    -- processed/failed dependency is left untouched so the parent keeps it.
    SELECT parent_queue, parent_id INTO v_pq, v_pid
      FROM job WHERE queue = p_queue AND id = p_id;
    IF v_pq IS NOT NULL AND v_pid IS NOT NULL THEN
      DELETE FROM job_dependency
       WHERE parent_queue = v_pq AND parent_id = v_pid
         AND child_key = p_queue || ':' || p_id
         AND status = 'pending';
      IF FOUND THEN
        UPDATE job SET pending_deps = GREATEST(pending_deps - 1, 0)
         WHERE queue = v_pq AND id = v_pid
        RETURNING pending_deps INTO v_remaining;
        IF v_remaining = 0 THEN
          PERFORM move_parent_to_wait(v_pq, v_pid, p_now);
        END IF;
      END IF;
    END IF;

    DELETE FROM job WHERE queue = p_queue AND id = p_id;
    RETURN;
  END IF;

  IF p_keep_age IS NOT NULL AND p_keep_age >= 0 THEN
    DELETE FROM job
     WHERE queue = p_queue
       AND state = p_state
       AND finished_at_ms <= p_now - p_keep_age * 1000;
  END IF;

  -- A negative keep-count is the "keep everything" sentinel (mirrors Redis,
  -- where -1 disables count-based trimming); skip it — a negative SQL LIMIT is
  -- a hard error.
  IF p_keep_count IS NOT NULL AND p_keep_count >= 0 THEN
    DELETE FROM job
     WHERE queue = p_queue
       AND state = p_state
       AND id NOT IN (
         SELECT id FROM job
          WHERE queue = p_queue AND state = p_state
          ORDER BY finished_at_ms DESC, seq DESC
          LIMIT p_keep_count
       );
  END IF;
END;
$$;


--
-- Name: change_delay(text, text, bigint, bigint); Type: FUNCTION; Schema: bullmq; Owner: -
--

CREATE FUNCTION bullmq.change_delay(p_queue text, p_id text, p_delay bigint, p_now bigint) RETURNS integer
    LANGUAGE plpgsql
    SET search_path TO 'bullmq'
    AS $$
DECLARE
  v_state job_state;
BEGIN
  SELECT state INTO v_state FROM job WHERE queue = p_queue AND id = p_id;
  IF NOT FOUND THEN
    RETURN -1;
  END IF;
  IF v_state <> 'delayed' THEN
    RETURN -3;
  END IF;

  UPDATE job
     SET delay_ms = p_delay,
         process_at_ms = p_now + p_delay
   WHERE queue = p_queue AND id = p_id;

  -- Wake any worker blocked on an older (longer) delay so it recomputes.
  PERFORM pg_notify('bullmq_jobs', p_queue);
  RETURN 0;
END;
$$;


--
-- Name: change_priority(text, text, integer, boolean); Type: FUNCTION; Schema: bullmq; Owner: -
--

CREATE FUNCTION bullmq.change_priority(p_queue text, p_id text, p_priority integer, p_lifo boolean) RETURNS integer
    LANGUAGE plpgsql
    SET search_path TO 'bullmq'
    AS $$
DECLARE
  v_state job_state;
BEGIN
  SELECT state INTO v_state FROM job WHERE queue = p_queue AND id = p_id;
  IF NOT FOUND THEN
    RETURN -1;
  END IF;

  IF v_state = 'waiting' THEN
    -- Reposition: lifo → head (negative seq), otherwise → tail (new seq).
    UPDATE job
       SET priority = p_priority,
           seq = CASE WHEN p_lifo
                      THEN -nextval('job_seq')
                      ELSE nextval('job_seq') END
     WHERE queue = p_queue AND id = p_id;
  ELSE
    UPDATE job
       SET priority = p_priority
     WHERE queue = p_queue AND id = p_id;
  END IF;

  RETURN 0;
END;
$$;


--
-- Name: clean(text, text, bigint, integer); Type: FUNCTION; Schema: bullmq; Owner: -
--

CREATE FUNCTION bullmq.clean(p_queue text, p_type text, p_ts bigint, p_limit integer) RETURNS SETOF text
    LANGUAGE plpgsql
    SET search_path TO 'bullmq'
    AS $$
DECLARE
  v_where             text;
  v_scheduler_filter  text := 'AND scheduler_id IS NULL';
  v_ids               text[];
  v_pq                text[];
  v_pid               text[];
  i                   integer;
BEGIN
  IF p_type IN ('completed', 'failed') THEN
    v_where := format('state = %L AND finished_at_ms <= %s', p_type, p_ts);
    -- Finished jobs are cleaned regardless of scheduler origin (mirrors
    -- cleanJobsInSet-3.lua omitting the repeat key for finished states).
    v_scheduler_filter := '';
  ELSIF p_type = 'delayed' THEN
    v_where := format('state = ''delayed'' AND added_at_ms <= %s', p_ts);
  ELSIF p_type = 'prioritized' THEN
    v_where := format('state = ''waiting'' AND priority > 0 AND added_at_ms <= %s', p_ts);
  ELSIF p_type IN ('wait', 'waiting', 'paused') THEN
    v_where := format('state = ''waiting'' AND priority = 0 AND added_at_ms <= %s', p_ts);
  ELSIF p_type = 'active' THEN
    v_where := format('state = ''active'' AND added_at_ms <= %s', p_ts);
  ELSE
    RETURN;
  END IF;

  -- Collect the ids to clean (respecting FIFO order + limit).
  EXECUTE format(
    'SELECT array_agg(id) FROM (SELECT id FROM job '
    || 'WHERE queue = %L AND %s %s ORDER BY seq %s) s',
    p_queue, v_where, v_scheduler_filter,
    CASE WHEN p_limit > 0 THEN 'LIMIT ' || p_limit ELSE '' END
  ) INTO v_ids;

  IF v_ids IS NULL THEN
    RETURN;
  END IF;

  -- Distinct parents of the cleaned jobs, for flow-aware release.
  SELECT array_agg(pq), array_agg(pid) INTO v_pq, v_pid FROM (
    SELECT DISTINCT parent_queue AS pq, parent_id AS pid
      FROM job
     WHERE queue = p_queue AND id = ANY(v_ids)
       AND parent_queue IS NOT NULL AND parent_id IS NOT NULL
  ) s;

  -- Break the cleaned jobs' dependency links, then delete the jobs.
  DELETE FROM job_dependency
   WHERE child_queue = p_queue AND child_id = ANY(v_ids);
  DELETE FROM job WHERE queue = p_queue AND id = ANY(v_ids);

  -- Release affected parents: a parent with no remaining pending dependencies
  -- is removed when it lives in the cleaned queue, else moved to wait.
  IF v_pq IS NOT NULL THEN
    FOR i IN 1 .. array_length(v_pq, 1) LOOP
      UPDATE job p SET pending_deps = (
        SELECT count(*) FROM job_dependency d
         WHERE d.parent_queue = v_pq[i] AND d.parent_id = v_pid[i]
           AND d.status = 'pending'
      ) WHERE p.queue = v_pq[i] AND p.id = v_pid[i];

      PERFORM 1 FROM job p
       WHERE p.queue = v_pq[i] AND p.id = v_pid[i]
         AND p.state = 'waiting-children' AND p.pending_deps = 0;
      IF FOUND THEN
        IF v_pq[i] = p_queue THEN
          DELETE FROM job WHERE queue = v_pq[i] AND id = v_pid[i];
        ELSE
          UPDATE job
             SET state = 'waiting', seq = nextval('job_seq')
           WHERE queue = v_pq[i] AND id = v_pid[i];
          PERFORM pg_notify('bullmq_jobs', v_pq[i]);
          PERFORM publish_event(v_pq[i], 'waiting',
            jsonb_build_object('jobId', v_pid[i], 'prev', 'waiting-children'));
        END IF;
      END IF;
    END LOOP;
  END IF;

  -- Announce how many jobs were cleaned (mirrors cleanJobsInSet-3.lua's
  -- `cleaned` event; count is a string, as on the Redis stream).
  PERFORM publish_event(p_queue, 'cleaned',
    jsonb_build_object('count', array_length(v_ids, 1)::text));

  RETURN QUERY SELECT unnest(v_ids);
END;
$$;


--
-- Name: collect_metrics(text, text, integer, bigint); Type: FUNCTION; Schema: bullmq; Owner: -
--

CREATE FUNCTION bullmq.collect_metrics(p_queue text, p_kind text, p_max integer, p_ts bigint) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'bullmq'
    AS $$
DECLARE
  v_count      bigint;
  v_prev_ts    bigint;
  v_prev_count bigint;
  v_data       bigint[];
  v_n          bigint;
  v_delta      bigint;
BEGIN
  -- Increment the cumulative count; v_count is the value BEFORE this job
  -- (matches Lua's `HINCRBY count 1) - 1`).
  INSERT INTO metrics (queue, kind, count, prev_ts, prev_count, data)
    VALUES (p_queue, p_kind, 1, NULL, 0, '{}')
  ON CONFLICT (queue, kind) DO UPDATE SET count = metrics.count + 1
  RETURNING count - 1, prev_ts, prev_count, data
    INTO v_count, v_prev_ts, v_prev_count, v_data;

  -- First data point only establishes the baseline.
  IF v_prev_ts IS NULL THEN
    UPDATE metrics SET prev_ts = p_ts, prev_count = 0
     WHERE queue = p_queue AND kind = p_kind;
    RETURN;
  END IF;

  -- Number of one-minute buckets elapsed since the last data point, capped.
  v_n := LEAST(p_ts / 60000 - v_prev_ts / 60000, p_max);
  IF v_n > 0 THEN
    v_delta := v_count - v_prev_count;
    -- Prepend N-1 zeros for the skipped (empty) minutes, then the delta for the
    -- minute of the previous data point. Mirrors Redis collectMetrics, which
    -- LPUSHes the delta first and then the zeros, leaving the zeros newest and
    -- the delta oldest within this chunk (data is newest-first).
    IF v_n > 1 THEN
      v_data := array_fill(0::bigint, ARRAY[(v_n - 1)::int])
                || ARRAY[v_delta]
                || v_data;
    ELSE
      v_data := ARRAY[v_delta] || v_data;
    END IF;
    -- Trim to the max number of data points.
    v_data := v_data[1 : p_max];
    UPDATE metrics
       SET data = v_data, prev_count = v_count, prev_ts = p_ts
     WHERE queue = p_queue AND kind = p_kind;
  END IF;
END;
$$;


--
-- Name: dedup_finalize(text, text, text, bigint); Type: FUNCTION; Schema: bullmq; Owner: -
--

CREATE FUNCTION bullmq.dedup_finalize(p_queue text, p_dedup_id text, p_job_id text, p_now bigint) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'bullmq'
    AS $$
DECLARE
  v_cur text;
  v_exp bigint;
BEGIN
  IF p_dedup_id IS NULL OR p_dedup_id = '' THEN
    RETURN;
  END IF;
  SELECT job_id, expire_at_ms INTO v_cur, v_exp
    FROM dedup WHERE queue = p_queue AND dedup_id = p_dedup_id;
  IF NOT FOUND THEN
    RETURN;
  END IF;
  IF v_exp IS NULL THEN
    -- No expiry: only the current winner clears its own key.
    IF v_cur = p_job_id THEN
      DELETE FROM dedup WHERE queue = p_queue AND dedup_id = p_dedup_id;
    END IF;
  ELSIF v_exp <= p_now THEN
    -- Already expired: reap it.
    DELETE FROM dedup WHERE queue = p_queue AND dedup_id = p_dedup_id;
  END IF;
END;
$$;


--
-- Name: dedup_on_removal(text, text, text); Type: FUNCTION; Schema: bullmq; Owner: -
--

CREATE FUNCTION bullmq.dedup_on_removal(p_queue text, p_job_id text, p_dedup_id text) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'bullmq'
    AS $$
BEGIN
  IF p_dedup_id IS NULL OR p_dedup_id = '' THEN
    RETURN;
  END IF;
  DELETE FROM dedup
   WHERE queue = p_queue AND dedup_id = p_dedup_id AND job_id = p_job_id;
END;
$$;


--
-- Name: dedup_store_next(text, text, text, text, boolean, text, jsonb, jsonb); Type: FUNCTION; Schema: bullmq; Owner: -
--

CREATE FUNCTION bullmq.dedup_store_next(p_queue text, p_dedup_id text, p_winner text, p_job_id text, p_keeplast boolean, p_name text, p_data jsonb, p_opts jsonb) RETURNS boolean
    LANGUAGE plpgsql
    SET search_path TO 'bullmq'
    AS $$
BEGIN
  IF NOT p_keeplast OR p_winner IS NULL THEN
    RETURN false;
  END IF;
  IF NOT EXISTS (
    SELECT 1 FROM job
     WHERE queue = p_queue AND id = p_winner AND state = 'active'
  ) THEN
    RETURN false;
  END IF;
  INSERT INTO dedup_next (queue, dedup_id, payload)
    VALUES (p_queue, p_dedup_id, jsonb_build_object(
      'name', p_name, 'data', p_data, 'opts', p_opts, 'jobId', p_job_id))
  ON CONFLICT (queue, dedup_id) DO UPDATE SET payload = EXCLUDED.payload;
  -- Persist the dedup key so it outlives the active job's duration.
  UPDATE dedup SET expire_at_ms = NULL
   WHERE queue = p_queue AND dedup_id = p_dedup_id;
  RETURN true;
END;
$$;


--
-- Name: deduplicate_job(text, jsonb, text, bigint, text, jsonb, jsonb); Type: FUNCTION; Schema: bullmq; Owner: -
--

CREATE FUNCTION bullmq.deduplicate_job(p_queue text, p_dedup jsonb, p_job_id text, p_now bigint, p_name text, p_data jsonb, p_opts jsonb) RETURNS text
    LANGUAGE plpgsql
    SET search_path TO 'bullmq'
    AS $$
DECLARE
  v_id       text    := p_dedup->>'id';
  v_ttl      bigint  := NULLIF(p_dedup->>'ttl', '')::bigint;
  v_extend   boolean := COALESCE((p_dedup->>'extend')::boolean, false);
  v_replace  boolean := COALESCE((p_dedup->>'replace')::boolean, false);
  v_keeplast boolean := COALESCE((p_dedup->>'keepLastIfActive')::boolean, false);
  v_delay    bigint;
  v_cur      text;
  v_exp      bigint;
  v_state    job_state;
BEGIN
  IF v_id IS NULL OR v_id = '' THEN
    RETURN NULL;
  END IF;

  -- Lock the dedup row before touching the winner job row, matching the
  -- dedup -> job lock order used by removal (dedup_on_removal, then DELETE job).
  SELECT job_id, expire_at_ms INTO v_cur, v_exp
    FROM dedup WHERE queue = p_queue AND dedup_id = v_id
    FOR UPDATE;
  IF v_cur IS NULL OR (v_exp IS NOT NULL AND v_exp <= p_now) THEN
    v_cur := NULL;
  ELSIF v_exp IS NULL AND NOT EXISTS (
    SELECT 1 FROM job WHERE queue = p_queue AND id = v_cur
  ) THEN
    DELETE FROM dedup WHERE queue = p_queue AND dedup_id = v_id;
    DELETE FROM dedup_next WHERE queue = p_queue AND dedup_id = v_id;
    v_cur := NULL;
  END IF;

  IF v_replace THEN
    IF v_cur IS NOT NULL THEN
      SELECT state INTO v_state
        FROM job WHERE queue = p_queue AND id = v_cur;
      IF v_state = 'delayed' THEN
        DELETE FROM job WHERE queue = p_queue AND id = v_cur;
        PERFORM publish_event(p_queue, 'removed',
          jsonb_build_object('jobId', v_cur, 'prev', 'delayed'));
        PERFORM publish_event(p_queue, 'deduplicated',
          jsonb_build_object('jobId', p_job_id, 'deduplicationId', v_id,
            'deduplicatedJobId', v_cur));
        DELETE FROM dedup_next WHERE queue = p_queue AND dedup_id = v_id;
        IF v_keeplast THEN
          UPDATE dedup SET job_id = p_job_id, expire_at_ms = NULL
           WHERE queue = p_queue AND dedup_id = v_id;
        ELSIF NOT v_extend AND COALESCE(v_ttl, 0) > 0 THEN
          UPDATE dedup SET job_id = p_job_id
           WHERE queue = p_queue AND dedup_id = v_id;
        ELSE
          UPDATE dedup
             SET job_id = p_job_id,
                 expire_at_ms = CASE WHEN COALESCE(v_ttl, 0) > 0
                                     THEN p_now + v_ttl ELSE NULL END
           WHERE queue = p_queue AND dedup_id = v_id;
        END IF;
        RETURN NULL;
      ELSE
        PERFORM dedup_store_next(p_queue, v_id, v_cur, p_job_id,
          v_keeplast, p_name, p_data, p_opts);
        RETURN v_cur;
      END IF;
    ELSE
      INSERT INTO dedup (queue, dedup_id, job_id, expire_at_ms)
        VALUES (p_queue, v_id, p_job_id,
          CASE WHEN NOT v_keeplast AND COALESCE(v_ttl, 0) > 0
               THEN p_now + v_ttl ELSE NULL END)
      ON CONFLICT (queue, dedup_id) DO UPDATE
        SET job_id = EXCLUDED.job_id, expire_at_ms = EXCLUDED.expire_at_ms;
      RETURN NULL;
    END IF;
  END IF;

  IF v_cur IS NOT NULL AND COALESCE((p_dedup->>'reschedule')::boolean, false) THEN
    v_delay := COALESCE((p_opts->>'delay')::bigint, 0);
    UPDATE job SET delay_ms = v_delay,
                   process_at_ms = p_now + GREATEST(v_delay, 0)
     WHERE queue = p_queue AND id = v_cur AND state = 'delayed';
    IF FOUND THEN
      PERFORM publish_event(p_queue, 'delayed',
        jsonb_build_object('jobId', v_cur, 'delay', p_now + GREATEST(v_delay, 0)));
      PERFORM pg_notify('bullmq_jobs', p_queue);
    END IF;
  END IF;

  IF COALESCE(v_ttl, 0) > 0 AND v_extend THEN
    IF v_cur IS NOT NULL THEN
      IF NOT dedup_store_next(p_queue, v_id, v_cur, p_job_id,
               v_keeplast, p_name, p_data, p_opts) THEN
        UPDATE dedup
           SET expire_at_ms = CASE WHEN v_keeplast THEN NULL ELSE p_now + v_ttl END
         WHERE queue = p_queue AND dedup_id = v_id;
      END IF;
      PERFORM publish_event(p_queue, 'deduplicated',
        jsonb_build_object('jobId', v_cur, 'deduplicationId', v_id,
          'deduplicatedJobId', p_job_id));
      RETURN v_cur;
    END IF;
    INSERT INTO dedup (queue, dedup_id, job_id, expire_at_ms)
      VALUES (p_queue, v_id, p_job_id,
        CASE WHEN v_keeplast THEN NULL ELSE p_now + v_ttl END)
    ON CONFLICT (queue, dedup_id) DO UPDATE
      SET job_id = EXCLUDED.job_id, expire_at_ms = EXCLUDED.expire_at_ms;
    RETURN NULL;
  END IF;

  IF v_cur IS NOT NULL THEN
    PERFORM dedup_store_next(p_queue, v_id, v_cur, p_job_id,
      v_keeplast, p_name, p_data, p_opts);
    PERFORM publish_event(p_queue, 'deduplicated',
      jsonb_build_object('jobId', v_cur, 'deduplicationId', v_id,
        'deduplicatedJobId', p_job_id));
    RETURN v_cur;
  END IF;

  INSERT INTO dedup (queue, dedup_id, job_id, expire_at_ms)
    VALUES (p_queue, v_id, p_job_id,
      CASE WHEN NOT v_keeplast AND COALESCE(v_ttl, 0) > 0
           THEN p_now + v_ttl ELSE NULL END)
  ON CONFLICT (queue, dedup_id) DO UPDATE
    SET job_id = EXCLUDED.job_id, expire_at_ms = EXCLUDED.expire_at_ms;
  RETURN NULL;
END;
$$;


--
-- Name: drain(text, boolean); Type: FUNCTION; Schema: bullmq; Owner: -
--

CREATE FUNCTION bullmq.drain(p_queue text, p_delayed boolean) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'bullmq'
    AS $$
DECLARE
  v_pq  text[];
  v_pid text[];
  i     integer;
BEGIN
  SELECT array_agg(parent_queue), array_agg(parent_id)
    INTO v_pq, v_pid
  FROM (
    SELECT DISTINCT parent_queue, parent_id
      FROM job
     WHERE queue = p_queue
       AND parent_id IS NOT NULL
       AND scheduler_id IS NULL
       AND (state = 'waiting' OR (p_delayed AND state = 'delayed'))
  ) s;

  DELETE FROM job_dependency d
   USING job j
   WHERE j.queue = p_queue
     AND (j.state = 'waiting' OR (p_delayed AND j.state = 'delayed'))
     AND j.parent_id IS NOT NULL
     AND j.scheduler_id IS NULL
     AND d.parent_queue = j.parent_queue
     AND d.parent_id = j.parent_id
     AND d.child_queue = j.queue
     AND d.child_id = j.id;

  DELETE FROM job
   WHERE queue = p_queue
     AND scheduler_id IS NULL
     AND (state = 'waiting' OR (p_delayed AND state = 'delayed'));

  IF v_pq IS NOT NULL THEN
    FOR i IN 1 .. array_length(v_pq, 1) LOOP
      UPDATE job p
         SET pending_deps = (
           SELECT count(*) FROM job_dependency d
            WHERE d.parent_queue = v_pq[i]
              AND d.parent_id = v_pid[i]
              AND d.status = 'pending'
         )
       WHERE p.queue = v_pq[i] AND p.id = v_pid[i];

      PERFORM 1 FROM job p
       WHERE p.queue = v_pq[i] AND p.id = v_pid[i]
         AND p.state = 'waiting-children'
         AND p.pending_deps = 0;

      IF FOUND THEN
        IF v_pq[i] = p_queue THEN
          DELETE FROM job WHERE queue = v_pq[i] AND id = v_pid[i];
        ELSE
          UPDATE job
             SET state = 'waiting', seq = nextval('job_seq')
           WHERE queue = v_pq[i] AND id = v_pid[i];
          PERFORM pg_notify('bullmq_jobs', v_pq[i]);
          PERFORM publish_event(v_pq[i], 'waiting',
            jsonb_build_object('jobId', v_pid[i], 'prev', 'waiting-children'));
        END IF;
      END IF;
    END LOOP;
  END IF;
END;
$$;


--
-- Name: extend_lock(text, text, text, bigint, bigint); Type: FUNCTION; Schema: bullmq; Owner: -
--

CREATE FUNCTION bullmq.extend_lock(p_queue text, p_id text, p_token text, p_lock_ms bigint, p_now bigint) RETURNS integer
    LANGUAGE plpgsql
    SET search_path TO 'bullmq'
    AS $$
DECLARE
  v_updated integer;
BEGIN
  UPDATE job
     SET locked_until_ms = p_now + p_lock_ms
   WHERE queue = p_queue
     AND id = p_id
     AND state = 'active'
     AND lock_token = p_token;

  GET DIAGNOSTICS v_updated = ROW_COUNT;
  RETURN v_updated;
END;
$$;


--
-- Name: get_range(text, text, integer, integer, boolean); Type: FUNCTION; Schema: bullmq; Owner: -
--

CREATE FUNCTION bullmq.get_range(p_queue text, p_type text, p_start integer, p_end integer, p_asc boolean) RETURNS SETOF text
    LANGUAGE plpgsql
    SET search_path TO 'bullmq'
    AS $$
DECLARE
  v_where  text;
  v_order  text;
  v_dir    text := CASE WHEN p_asc THEN 'ASC' ELSE 'DESC' END;
  v_offset integer := GREATEST(COALESCE(p_start, 0), 0);
  v_limit  text;
BEGIN
  -- 'wait'/'active' are list-backed in Redis (LPUSH ⇒ newest at head), and the
  -- shared queue-getters layer reverses these `lrange` results when asc is
  -- requested. Returning newest-first (DESC) here makes that reversal yield the
  -- FIFO order callers expect (getWaiting/getActive), mirroring Redis LRANGE.
  IF p_type IN ('wait', 'waiting') THEN
    v_where := 'state = ''waiting'' AND priority = 0'; v_order := 'seq'; v_dir := 'DESC';
  ELSIF p_type = 'prioritized' THEN
    v_where := 'state = ''waiting'' AND priority > 0'; v_order := 'priority, seq';
  ELSIF p_type = 'active' THEN
    v_where := 'state = ''active'''; v_order := 'seq'; v_dir := 'DESC';
  ELSIF p_type = 'delayed' THEN
    v_where := 'state = ''delayed'''; v_order := 'process_at_ms';
  ELSIF p_type IN ('completed', 'failed') THEN
    v_where := format('state = %L', p_type); v_order := 'finished_at_ms';
  ELSIF p_type = 'waiting-children' THEN
    v_where := 'state = ''waiting-children'''; v_order := 'seq'; v_dir := 'ASC';
  ELSE
    RETURN; -- paused/repeat/unknown
  END IF;

  IF p_end IS NULL OR p_end < 0 THEN
    v_limit := 'ALL';
  ELSE
    IF (p_end - v_offset + 1) <= 0 THEN
      RETURN;
    END IF;
    v_limit := (p_end - v_offset + 1)::text;
  END IF;

  RETURN QUERY EXECUTE format(
    'SELECT id FROM job WHERE queue = %L AND %s ORDER BY %s %s OFFSET %s LIMIT %s',
    p_queue, v_where, v_order, v_dir, v_offset, v_limit
  );
END;
$$;


--
-- Name: handle_child_failure(text, text, text, bigint); Type: FUNCTION; Schema: bullmq; Owner: -
--

CREATE FUNCTION bullmq.handle_child_failure(p_queue text, p_id text, p_reason text, p_now bigint) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'bullmq'
    AS $$
DECLARE
  v_pq        text;
  v_pid       text;
  v_opts      jsonb;
  v_child_key text;
  v_remaining integer;
BEGIN
  SELECT parent_queue, parent_id, opts INTO v_pq, v_pid, v_opts
    FROM job WHERE queue = p_queue AND id = p_id;
  IF v_pid IS NULL OR v_pq IS NULL THEN
    RETURN;
  END IF;
  v_child_key := p_queue || ':' || p_id;

  -- Serialize this child→parent mutation with any sibling resolving concurrently
  -- (completion or failure). Mirrors the single-threaded atomicity Redis relies
  -- on and prevents the `pending_deps` UPDATE from deadlocking against a
  -- sibling's decrement (SQLSTATE 40P01). Taken on the direct parent only, so it
  -- never nests and auto-releases at commit (see move_to_completed).
  PERFORM pg_advisory_xact_lock(
    hashtext('bullmq:parent:' || v_pq || ':' || v_pid));

  IF COALESCE((v_opts->>'failParentOnFailure')::boolean, false) THEN
    UPDATE job_dependency
       SET status = 'failed', value = to_jsonb(p_reason)
     WHERE parent_queue = v_pq AND parent_id = v_pid
       AND child_key = v_child_key AND status = 'pending';
    IF FOUND THEN
      UPDATE job SET pending_deps = GREATEST(pending_deps - 1, 0)
       WHERE queue = v_pq AND id = v_pid;
      -- Defer the failure onto the parent; when a worker activates it the
      -- deferred failure fails it immediately (worker checks job.deferredFailure).
      UPDATE job
         SET deferred_failure = 'child ' || v_child_key || ' failed'
       WHERE queue = v_pq AND id = v_pid;
      PERFORM move_parent_to_wait(v_pq, v_pid, p_now);
    END IF;

  ELSIF COALESCE((v_opts->>'continueParentOnFailure')::boolean, false) THEN
    UPDATE job_dependency
       SET status = 'ignored', value = to_jsonb(p_reason)
     WHERE parent_queue = v_pq AND parent_id = v_pid
       AND child_key = v_child_key AND status = 'pending';
    IF FOUND THEN
      UPDATE job SET pending_deps = GREATEST(pending_deps - 1, 0)
       WHERE queue = v_pq AND id = v_pid;
      PERFORM move_parent_to_wait(v_pq, v_pid, p_now);
    END IF;

  ELSIF COALESCE((v_opts->>'ignoreDependencyOnFailure')::boolean, false) THEN
    UPDATE job_dependency
       SET status = 'ignored', value = to_jsonb(p_reason)
     WHERE parent_queue = v_pq AND parent_id = v_pid
       AND child_key = v_child_key AND status = 'pending';
    IF FOUND THEN
      UPDATE job SET pending_deps = GREATEST(pending_deps - 1, 0)
       WHERE queue = v_pq AND id = v_pid
      RETURNING pending_deps INTO v_remaining;
      IF v_remaining = 0 THEN
        PERFORM move_parent_to_wait(v_pq, v_pid, p_now);
      END IF;
    END IF;

  ELSIF COALESCE((v_opts->>'removeDependencyOnFailure')::boolean, false) THEN
    DELETE FROM job_dependency
     WHERE parent_queue = v_pq AND parent_id = v_pid
       AND child_key = v_child_key AND status = 'pending';
    IF FOUND THEN
      UPDATE job SET pending_deps = GREATEST(pending_deps - 1, 0)
       WHERE queue = v_pq AND id = v_pid
      RETURNING pending_deps INTO v_remaining;
      IF v_remaining = 0 THEN
        PERFORM move_parent_to_wait(v_pq, v_pid, p_now);
      END IF;
    END IF;
  END IF;
END;
$$;


--
-- Name: handle_duplicated_job(text, text, text, text, text, bigint, boolean); Type: FUNCTION; Schema: bullmq; Owner: -
--

CREATE FUNCTION bullmq.handle_duplicated_job(p_queue text, p_id text, p_parent_queue text, p_parent_id text, p_parent_key text, p_now bigint, p_defer_release boolean DEFAULT false) RETURNS integer
    LANGUAGE plpgsql
    SET search_path TO 'bullmq'
    AS $$
DECLARE
  v_ex_pq     text;
  v_ex_pid    text;
  v_state     job_state;
  v_rv        jsonb;
  v_remaining integer;
  v_added     boolean;
BEGIN
  -- No new parent to attach: still a duplicate add, so announce it.
  IF p_parent_id IS NULL OR p_parent_queue IS NULL THEN
    PERFORM publish_event(p_queue, 'duplicated',
      jsonb_build_object('jobId', p_id));
    RETURN 0;
  END IF;

  SELECT parent_queue, parent_id, state, return_value
    INTO v_ex_pq, v_ex_pid, v_state, v_rv
    FROM job WHERE queue = p_queue AND id = p_id;

  -- The existing job already belongs to a different (still-existing) parent.
  IF v_ex_pq IS NOT NULL
     AND (v_ex_pq IS DISTINCT FROM p_parent_queue
          OR v_ex_pid IS DISTINCT FROM p_parent_id)
     AND EXISTS (
       SELECT 1 FROM job WHERE queue = v_ex_pq AND id = v_ex_pid
     ) THEN
    RETURN -7;
  END IF;

  IF v_state = 'completed' THEN
    -- Already finished: record a processed dependency (no pending increment)
    -- and release the parent if this was its last outstanding dependency.
    INSERT INTO job_dependency (
      parent_queue, parent_id, child_queue, child_id, child_key, status, value
    ) VALUES (
      p_parent_queue, p_parent_id, p_queue, p_id,
      p_queue || ':' || p_id, 'processed', v_rv
    )
    ON CONFLICT (parent_queue, parent_id, child_key)
      DO UPDATE SET status = 'processed', value = v_rv;

    -- Within a flow insert the parent may still be waiting for siblings that
    -- have not been inserted yet, so the release is validated by the caller
    -- once the whole tree is in.
    IF NOT p_defer_release THEN
      SELECT pending_deps INTO v_remaining
        FROM job WHERE queue = p_parent_queue AND id = p_parent_id;
      IF COALESCE(v_remaining, 0) = 0 THEN
        PERFORM move_parent_to_wait(p_parent_queue, p_parent_id, p_now);
      END IF;
    END IF;
  ELSE
    -- Still pending: register a pending dependency and count it on the parent.
    INSERT INTO job_dependency (
      parent_queue, parent_id, child_queue, child_id, child_key, status
    ) VALUES (
      p_parent_queue, p_parent_id, p_queue, p_id,
      p_queue || ':' || p_id, 'pending'
    )
    ON CONFLICT (parent_queue, parent_id, child_key) DO NOTHING;
    GET DIAGNOSTICS v_added = ROW_COUNT;
    IF v_added THEN
      UPDATE job SET pending_deps = pending_deps + 1
       WHERE queue = p_parent_queue AND id = p_parent_id;
    END IF;
  END IF;

  -- Point the existing job at its new parent.
  UPDATE job
     SET parent_queue = p_parent_queue,
         parent_id    = p_parent_id,
         parent_key   = p_parent_key
   WHERE queue = p_queue AND id = p_id;

  PERFORM publish_event(p_queue, 'duplicated',
    jsonb_build_object('jobId', p_id));

  RETURN 0;
END;
$$;


--
-- Name: job_id_seq_name(text); Type: FUNCTION; Schema: bullmq; Owner: -
--

CREATE FUNCTION bullmq.job_id_seq_name(p_queue text) RETURNS text
    LANGUAGE sql IMMUTABLE
    AS $$
  SELECT 'bullmq_jid_' || md5(p_queue)
$$;


--
-- Name: lock_finalization_queues(text, text); Type: FUNCTION; Schema: bullmq; Owner: -
--

CREATE FUNCTION bullmq.lock_finalization_queues(p_queue text, p_id text) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'bullmq'
    AS $$
DECLARE
  v_key integer;
BEGIN
  FOR v_key IN
    SELECT DISTINCT hashtext(q)
      FROM (
        SELECT p_queue AS q
        UNION ALL
        SELECT parent_queue FROM job WHERE queue = p_queue AND id = p_id
      ) AS queues
     WHERE q IS NOT NULL
     ORDER BY 1
  LOOP
    PERFORM pg_advisory_xact_lock_shared(hashtext('bullmq:finalization'), v_key);
  END LOOP;
END;
$$;


--
-- Name: lock_producer_queues(jsonb); Type: FUNCTION; Schema: bullmq; Owner: -
--

CREATE FUNCTION bullmq.lock_producer_queues(p_entries jsonb) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'bullmq'
    AS $$
DECLARE
  v_key integer;
BEGIN
  FOR v_key IN
    SELECT DISTINCT hashtext(q)
      FROM (
        SELECT entry ->> 'queue' AS q
          FROM jsonb_array_elements(p_entries) AS entries(entry)
        UNION ALL
        SELECT entry ->> 'parentQueue'
          FROM jsonb_array_elements(p_entries) AS entries(entry)
      ) AS queues
     WHERE q IS NOT NULL
     ORDER BY 1
  LOOP
    PERFORM pg_advisory_xact_lock_shared(
      hashtext('bullmq:finalization'), v_key);
  END LOOP;
END;
$$;


--
-- Name: move_active_to_wait(text, text, text, bigint); Type: FUNCTION; Schema: bullmq; Owner: -
--

CREATE FUNCTION bullmq.move_active_to_wait(p_queue text, p_id text, p_token text, p_now bigint) RETURNS bigint
    LANGUAGE plpgsql
    SET search_path TO 'bullmq'
    AS $$
DECLARE
  v_state    job_state;
  v_lock     text;
  v_priority integer;
  v_seq      bigint;
  v_expire   bigint;
BEGIN
  SELECT state, lock_token, priority INTO v_state, v_lock, v_priority
    FROM job WHERE queue = p_queue AND id = p_id;
  IF NOT FOUND THEN
    RETURN -1;
  END IF;

  IF v_state = 'active'
     AND (p_token = '0' OR v_lock IS NOT DISTINCT FROM p_token) THEN
    IF v_priority > 0 THEN
      v_seq := -nextval('job_seq');
    ELSE
      v_seq := nextval('job_seq');
    END IF;

    UPDATE job
       SET state = 'waiting',
           seq = v_seq,
           lock_token = NULL,
           locked_until_ms = NULL
     WHERE queue = p_queue AND id = p_id;

    PERFORM pg_notify('bullmq_jobs', p_queue);
    PERFORM publish_event(p_queue, 'waiting',
      jsonb_build_object('jobId', p_id, 'prev', 'active'));
  END IF;

  -- Remaining limiter window (mirrors Redis returning PTTL of the limiter key).
  SELECT expire_at_ms INTO v_expire
    FROM rate_limit WHERE queue = p_queue;
  IF v_expire IS NOT NULL AND v_expire > p_now THEN
    RETURN v_expire - p_now;
  END IF;
  RETURN 0;
END;
$$;


--
-- Name: move_parent_to_wait(text, text, bigint); Type: FUNCTION; Schema: bullmq; Owner: -
--

CREATE FUNCTION bullmq.move_parent_to_wait(p_parent_queue text, p_parent_id text, p_now bigint) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'bullmq'
    AS $$
DECLARE
  v_delay      bigint;
  v_process_at bigint;
BEGIN
  SELECT delay_ms INTO v_delay
    FROM job
   WHERE queue = p_parent_queue AND id = p_parent_id
     AND state = 'waiting-children';
  IF NOT FOUND THEN
    RETURN;
  END IF;

  IF v_delay > 0 THEN
    -- The parent carries a delay: release it into the delayed set (mirrors the
    -- delay branch of moveParentToWait), scored from the release moment.
    v_process_at := p_now + v_delay;
    UPDATE job
       SET state = 'delayed', process_at_ms = v_process_at,
           seq = nextval('job_seq')
     WHERE queue = p_parent_queue AND id = p_parent_id;
    PERFORM pg_notify('bullmq_jobs', p_parent_queue);
    PERFORM publish_event(p_parent_queue, 'delayed',
      jsonb_build_object('jobId', p_parent_id, 'delay', v_process_at));
  ELSE
    -- No delay: release to wait. Priority is preserved by the row's `priority`
    -- column, so a prioritized parent stays prioritized.
    UPDATE job
       SET state = 'waiting', seq = nextval('job_seq')
     WHERE queue = p_parent_queue AND id = p_parent_id;
    PERFORM pg_notify('bullmq_jobs', p_parent_queue);
    PERFORM publish_event(p_parent_queue, 'waiting',
      jsonb_build_object('jobId', p_parent_id, 'prev', 'waiting-children'));
  END IF;
END;
$$;


--
-- Name: move_stalled_jobs_to_wait(text, integer, bigint, bigint); Type: FUNCTION; Schema: bullmq; Owner: -
--

CREATE FUNCTION bullmq.move_stalled_jobs_to_wait(p_queue text, p_max_stalled integer, p_now bigint, p_max_check_time bigint) RETURNS SETOF text
    LANGUAGE plpgsql
    SET search_path TO 'bullmq'
    AS $$
DECLARE
  v_last       bigint;
  r            record;
  v_count      integer;
  v_repeatable boolean;
  v_reclaimed  boolean := false;
BEGIN
  -- Throttle: only run once per `max_check_time` window (mirrors the Redis
  -- `stalled-check` key with `PX maxCheckTime`).
  SELECT value::bigint INTO v_last
    FROM meta WHERE queue = p_queue AND field = 'stalled-check';
  IF v_last IS NOT NULL AND p_now < v_last + p_max_check_time THEN
    RETURN;
  END IF;
  INSERT INTO meta (queue, field, value)
    VALUES (p_queue, 'stalled-check', p_now::text)
    ON CONFLICT (queue, field) DO UPDATE SET value = EXCLUDED.value;

  -- Phase 1 (sweep): reclaim jobs that were marked on a PREVIOUS pass and are
  -- still active with an expired lock.
  FOR r IN
    SELECT id, scheduler_id, stalled_count
      FROM job
     WHERE queue = p_queue
       AND state = 'active'
       AND stalled_marked
       AND locked_until_ms IS NOT NULL
       AND locked_until_ms < p_now
     FOR UPDATE SKIP LOCKED
  LOOP
    v_count := r.stalled_count + 1;

    -- Scheduler jobs are recovered but never permanently failed.
    v_repeatable := r.scheduler_id IS NOT NULL AND EXISTS (
      SELECT 1 FROM scheduler
       WHERE queue = p_queue AND scheduler_id = r.scheduler_id
    );

    UPDATE job
       SET state = 'waiting',
           lock_token = NULL,
           locked_until_ms = NULL,
           stalled_marked = false,
           stalled_count = v_count,
           seq = nextval('job_seq'),
           deferred_failure = CASE
             WHEN v_count > p_max_stalled AND NOT v_repeatable
               THEN 'job stalled more than allowable limit'
             ELSE deferred_failure
           END
     WHERE queue = p_queue AND id = r.id;

    PERFORM publish_event(p_queue, 'stalled',
      jsonb_build_object('jobId', r.id));
    v_reclaimed := true;
    RETURN NEXT r.id;
  END LOOP;

  -- Clear all old marks (mirrors `DEL stalledKey`) …
  UPDATE job SET stalled_marked = false
   WHERE queue = p_queue AND stalled_marked;

  -- … then mark every currently-active job for the NEXT pass (mirrors
  -- `SADD stalledKey <active>`). Freshly-claimed jobs are therefore never
  -- reclaimed on the pass that first observes them.
  UPDATE job SET stalled_marked = true
   WHERE queue = p_queue AND state = 'active';

  -- Wake a worker for any jobs pushed back to wait.
  IF v_reclaimed THEN
    PERFORM pg_notify('bullmq_jobs', p_queue);
  END IF;
  RETURN;
END;
$$;


SET default_tablespace = '';

SET default_table_access_method = heap;

--
-- Name: job; Type: TABLE; Schema: bullmq; Owner: -
--

CREATE TABLE bullmq.job (
    queue text NOT NULL,
    id text NOT NULL,
    seq bigint NOT NULL,
    name text NOT NULL,
    state bullmq.job_state NOT NULL,
    data jsonb DEFAULT '{}'::jsonb NOT NULL,
    opts jsonb DEFAULT '{}'::jsonb NOT NULL,
    priority integer DEFAULT 0 NOT NULL,
    delay_ms bigint DEFAULT 0 NOT NULL,
    max_attempts integer DEFAULT 1 NOT NULL,
    attempts_made integer DEFAULT 0 NOT NULL,
    attempts_started integer DEFAULT 0 NOT NULL,
    progress jsonb,
    return_value jsonb,
    failed_reason text,
    stacktrace jsonb,
    deferred_failure text,
    processed_by text,
    added_at_ms bigint NOT NULL,
    process_at_ms bigint,
    processed_at_ms bigint,
    finished_at_ms bigint,
    lock_token text,
    locked_until_ms bigint,
    stalled_count integer DEFAULT 0 NOT NULL,
    dedup_id text,
    scheduler_id text,
    parent_queue text,
    parent_id text,
    parent_key text,
    pending_deps integer DEFAULT 0 NOT NULL,
    stalled_marked boolean DEFAULT false NOT NULL
);


--
-- Name: move_to_active(text, text, bigint, bigint, text, integer, bigint); Type: FUNCTION; Schema: bullmq; Owner: -
--

CREATE FUNCTION bullmq.move_to_active(p_queue text, p_token text, p_lock_ms bigint, p_now bigint, p_name text, p_limiter_max integer, p_limiter_duration bigint) RETURNS SETOF bullmq.job
    LANGUAGE plpgsql
    SET search_path TO 'bullmq'
    AS $$
DECLARE
  v_id       text;
  v_job      job;
  v_meta_max integer;
  v_max      integer;
  v_duration bigint;
  v_concurrency integer;
BEGIN
  -- Promote due delayed jobs first, regardless of pause. Redis promotes delayed
  -- jobs via a delay timer that routes through getTargetQueueList, so while the
  -- queue is paused they land in the paused list and still surface (counted as
  -- paused) even though they are not processed. Running this before the pause
  -- early-return reproduces that: the jobs become 'waiting' (reported as paused)
  -- but the claim/activate below is skipped.
  FOR v_id IN
    WITH promoted AS (
      UPDATE job
         SET state = 'waiting', delay_ms = 0
       WHERE queue = p_queue
         AND state = 'delayed'
         AND process_at_ms <= p_now
      RETURNING id
    )
    SELECT id FROM promoted
  LOOP
    PERFORM publish_event(p_queue, 'waiting',
      jsonb_build_object('jobId', v_id, 'prev', 'delayed'));
  END LOOP;

  IF EXISTS (
    SELECT 1 FROM meta
     WHERE queue = p_queue AND field = 'paused' AND value = '1'
  ) THEN
    RETURN;
  END IF;

  -- Global concurrency: never run more than meta.concurrency jobs active at
  -- once (mirrors isQueueMaxed). Serialized per queue with a transaction-scoped
  -- advisory lock so concurrent workers cannot all pass the check and overshoot;
  -- it releases at commit, once this claim is reflected in the active count.
  SELECT value::integer INTO v_concurrency
    FROM meta WHERE queue = p_queue AND field = 'concurrency';
  IF v_concurrency IS NOT NULL THEN
    PERFORM pg_advisory_xact_lock(hashtext('bullmq:concurrency:' || p_queue));
    IF (
      SELECT count(*) FROM job
       WHERE queue = p_queue AND state = 'active'
    ) >= v_concurrency THEN
      RETURN;
    END IF;
  END IF;

  -- Rate limit: meta `max` wins, else the worker's `limiter.max`.
  SELECT value::integer INTO v_meta_max
    FROM meta WHERE queue = p_queue AND field = 'max';
  v_max := COALESCE(v_meta_max, p_limiter_max);

  IF v_max IS NOT NULL THEN
    -- Redis evaluates moveToActive atomically on a single-threaded server, so a
    -- worker's limiter check and its token consumption can never interleave with
    -- another worker's. Postgres runs each worker's call under its own snapshot,
    -- so without serialization several concurrent workers could all read
    -- counter < max, each claim a (distinct) job, and each consume a token —
    -- overshooting the limit. A transaction-scoped advisory lock serializes the
    -- check-and-consume per queue exactly like Redis; under READ COMMITTED the
    -- effective check below then runs on a fresh snapshot that sees the token a
    -- preceding worker just committed. The lock auto-releases at statement end
    -- (this function is always called standalone) and is only taken when a
    -- limiter actually applies, so unlimited queues pay nothing.
    PERFORM pg_advisory_xact_lock(hashtext('bullmq:limiter:' || p_queue));
    IF rate_limit_effective(p_queue, p_limiter_max, p_now) > 0 THEN
      RETURN;
    END IF;
  END IF;

  SELECT id INTO v_id
    FROM job
   WHERE queue = p_queue AND state = 'waiting'
   ORDER BY priority, seq
   FOR UPDATE SKIP LOCKED
   LIMIT 1;

  IF v_id IS NULL THEN
    RETURN;
  END IF;

  -- Consume a token now that a job is actually being claimed. Duration: the
  -- worker's `limiter.duration` wins, else meta `duration`.
  IF v_max IS NOT NULL THEN
    SELECT value::bigint INTO v_duration
      FROM meta WHERE queue = p_queue AND field = 'duration';
    v_duration := COALESCE(p_limiter_duration, v_duration);
    IF v_duration IS NOT NULL THEN
      PERFORM rate_limit_consume(p_queue, v_duration, p_now);
    END IF;
  END IF;

  UPDATE job
     SET state = 'active',
         lock_token = p_token,
         locked_until_ms = p_now + p_lock_ms,
         processed_at_ms = p_now,
         processed_by = p_name,
         attempts_started = attempts_started + 1
   WHERE queue = p_queue AND id = v_id
  RETURNING * INTO v_job;

  PERFORM publish_event(p_queue, 'active',
    jsonb_build_object('jobId', v_id, 'prev', 'waiting'));

  RETURN NEXT v_job;
END;
$$;


--
-- Name: move_to_completed(text, text, text, jsonb, bigint, boolean, bigint, integer); Type: FUNCTION; Schema: bullmq; Owner: -
--

CREATE FUNCTION bullmq.move_to_completed(p_queue text, p_id text, p_token text, p_return_value jsonb, p_finished_on bigint, p_remove_all boolean, p_keep_age bigint, p_keep_count integer) RETURNS bigint
    LANGUAGE plpgsql
    SET search_path TO 'bullmq'
    AS $$
DECLARE
  v_state job_state;
  v_lock text;
  v_pq text;
  v_pid text;
  v_dedup_id text;
  v_remaining integer;
BEGIN
  PERFORM lock_finalization_queues(p_queue, p_id);

  SELECT parent_queue, parent_id INTO v_pq, v_pid
    FROM job WHERE queue = p_queue AND id = p_id;
  IF v_pq IS NOT NULL AND v_pid IS NOT NULL THEN
    PERFORM pg_advisory_xact_lock(
      hashtext('bullmq:parent:' || v_pq || ':' || v_pid));
  END IF;

  SELECT state, lock_token, parent_queue, parent_id, dedup_id
    INTO v_state, v_lock, v_pq, v_pid, v_dedup_id
    FROM job WHERE queue = p_queue AND id = p_id FOR UPDATE;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'bullmq: missing job %', p_id USING ERRCODE = 'BM001', DETAIL = '-1';
  END IF;
  IF v_state <> 'active' THEN
    RAISE EXCEPTION 'bullmq: job % not active', p_id USING ERRCODE = 'BM001', DETAIL = '-3';
  END IF;
  IF p_token <> '0' AND v_lock IS DISTINCT FROM p_token THEN
    RAISE EXCEPTION 'bullmq: job % lock mismatch', p_id USING ERRCODE = 'BM001', DETAIL = '-6';
  END IF;

  IF EXISTS (
    SELECT 1 FROM job_dependency
     WHERE parent_queue = p_queue AND parent_id = p_id AND status = 'pending'
  ) THEN
    RAISE EXCEPTION 'bullmq: job % has pending dependencies', p_id
      USING ERRCODE = 'BM001', DETAIL = '-4';
  END IF;
  IF EXISTS (
    SELECT 1 FROM job_dependency
     WHERE parent_queue = p_queue AND parent_id = p_id AND status = 'failed'
  ) THEN
    RAISE EXCEPTION 'bullmq: job % has failed dependencies', p_id
      USING ERRCODE = 'BM001', DETAIL = '-9';
  END IF;

  UPDATE job
     SET state = 'completed',
         return_value = p_return_value,
         finished_at_ms = p_finished_on,
         lock_token = NULL,
         locked_until_ms = NULL,
         attempts_made = attempts_made + 1
   WHERE queue = p_queue AND id = p_id;

  PERFORM publish_event(p_queue, 'completed',
    jsonb_build_object('jobId', p_id, 'returnvalue',
      COALESCE(p_return_value, 'null'::jsonb)::text, 'prev', 'active'));

  IF v_pid IS NOT NULL AND v_pq IS NOT NULL THEN
    UPDATE job_dependency
       SET status = 'processed', value = p_return_value
     WHERE parent_queue = v_pq AND parent_id = v_pid
       AND child_key = p_queue || ':' || p_id;

    UPDATE job
       SET pending_deps = GREATEST(pending_deps - 1, 0)
     WHERE queue = v_pq AND id = v_pid
    RETURNING pending_deps INTO v_remaining;

    IF v_remaining = 0 THEN
      PERFORM move_parent_to_wait(v_pq, v_pid, p_finished_on);
    END IF;
  END IF;

  PERFORM apply_retention(
    p_queue, p_id, 'completed', p_finished_on, p_remove_all, p_keep_age, p_keep_count
  );

  IF v_dedup_id IS NOT NULL THEN
    PERFORM pg_advisory_xact_lock(
      hashtext('bullmq:dedup:' || p_queue || ':' || v_dedup_id));
  END IF;
  PERFORM dedup_finalize(p_queue, v_dedup_id, p_id, p_finished_on);
  PERFORM requeue_dedup_next(p_queue, v_dedup_id, p_finished_on);

  IF NOT EXISTS (
       SELECT 1 FROM job WHERE queue = p_queue AND state = 'active'
     )
     AND (
       EXISTS (
         SELECT 1 FROM meta
          WHERE queue = p_queue AND field = 'paused' AND value = '1'
       )
       OR NOT EXISTS (
         SELECT 1 FROM job WHERE queue = p_queue AND state = 'waiting'
       )
     ) THEN
    PERFORM publish_event(p_queue, 'drained', '{}'::jsonb);
  END IF;

  RETURN p_finished_on;
END;
$$;


--
-- Name: move_to_completed_fetch(text, text, text, jsonb, bigint, boolean, bigint, integer, bigint, bigint, text, integer, bigint); Type: FUNCTION; Schema: bullmq; Owner: -
--

CREATE FUNCTION bullmq.move_to_completed_fetch(p_queue text, p_id text, p_token text, p_return_value jsonb, p_finished_on bigint, p_remove_all boolean, p_keep_age bigint, p_keep_count integer, p_lock_ms bigint, p_now bigint, p_name text, p_limiter_max integer, p_limiter_duration bigint) RETURNS SETOF bullmq.job
    LANGUAGE plpgsql
    SET search_path TO 'bullmq'
    AS $$
BEGIN
  PERFORM move_to_completed(
    p_queue, p_id, p_token, p_return_value,
    p_finished_on, p_remove_all, p_keep_age, p_keep_count);

  RETURN QUERY SELECT * FROM move_to_active(
    p_queue, p_token, p_lock_ms, p_now, p_name, p_limiter_max, p_limiter_duration);
END;
$$;


--
-- Name: move_to_delayed(text, text, text, bigint, bigint, boolean, text, jsonb); Type: FUNCTION; Schema: bullmq; Owner: -
--

CREATE FUNCTION bullmq.move_to_delayed(p_queue text, p_id text, p_token text, p_process_at bigint, p_delay bigint, p_skip_attempt boolean, p_failed_reason text, p_stacktrace jsonb) RETURNS integer
    LANGUAGE plpgsql
    SET search_path TO 'bullmq'
    AS $$
DECLARE
  v_state job_state;
  v_lock  text;
BEGIN
  SELECT state, lock_token INTO v_state, v_lock
    FROM job WHERE queue = p_queue AND id = p_id FOR UPDATE;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'bullmq: missing job %', p_id USING ERRCODE = 'BM001', DETAIL = '-1';
  END IF;
  IF v_state <> 'active' THEN
    RAISE EXCEPTION 'bullmq: job % not active', p_id USING ERRCODE = 'BM001', DETAIL = '-3';
  END IF;
  IF p_token <> '0' AND v_lock IS DISTINCT FROM p_token THEN
    RAISE EXCEPTION 'bullmq: job % lock mismatch', p_id USING ERRCODE = 'BM001', DETAIL = '-6';
  END IF;

  UPDATE job
     SET state = 'delayed',
         process_at_ms = p_process_at,
         delay_ms = p_delay,
         failed_reason = COALESCE(p_failed_reason, failed_reason),
         stacktrace = COALESCE(p_stacktrace, stacktrace),
         lock_token = NULL,
         locked_until_ms = NULL,
         attempts_made = attempts_made + (CASE WHEN p_skip_attempt THEN 0 ELSE 1 END)
   WHERE queue = p_queue AND id = p_id;

  -- Announce the delay on the event stream (mirrors moveToDelayed's XADD
  -- 'delayed'); QueueEvents consumers rely on this. `delay` carries the
  -- absolute timestamp the job becomes due, matching the Redis payload.
  PERFORM publish_event(p_queue, 'delayed',
    jsonb_build_object('jobId', p_id, 'delay', p_process_at));
  PERFORM pg_notify('bullmq_jobs', p_queue);
  RETURN 1;
END;
$$;


--
-- Name: move_to_failed(text, text, text, text, jsonb, bigint, boolean, bigint, integer); Type: FUNCTION; Schema: bullmq; Owner: -
--

CREATE FUNCTION bullmq.move_to_failed(p_queue text, p_id text, p_token text, p_failed_reason text, p_stacktrace jsonb, p_finished_on bigint, p_remove_all boolean, p_keep_age bigint, p_keep_count integer) RETURNS bigint
    LANGUAGE plpgsql
    SET search_path TO 'bullmq'
    AS $$
DECLARE
  v_state job_state;
  v_lock text;
  v_dedup_id text;
  v_attempts integer;
BEGIN
  PERFORM lock_finalization_queues(p_queue, p_id);

  PERFORM pg_advisory_xact_lock(
    hashtext('bullmq:parent:' || p_queue || ':' || p_id));

  SELECT state, lock_token, dedup_id INTO v_state, v_lock, v_dedup_id
    FROM job WHERE queue = p_queue AND id = p_id FOR UPDATE;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'bullmq: missing job %', p_id USING ERRCODE = 'BM001', DETAIL = '-1';
  END IF;
  IF v_state <> 'active' THEN
    RAISE EXCEPTION 'bullmq: job % not active', p_id USING ERRCODE = 'BM001', DETAIL = '-3';
  END IF;
  IF p_token <> '0' AND v_lock IS DISTINCT FROM p_token THEN
    RAISE EXCEPTION 'bullmq: job % lock mismatch', p_id USING ERRCODE = 'BM001', DETAIL = '-6';
  END IF;

  UPDATE job
     SET state = 'failed',
         failed_reason = p_failed_reason,
         stacktrace = COALESCE(p_stacktrace, stacktrace),
         finished_at_ms = p_finished_on,
         lock_token = NULL,
         locked_until_ms = NULL,
         deferred_failure = NULL,
         attempts_made = attempts_made + 1
   WHERE queue = p_queue AND id = p_id
  RETURNING attempts_made INTO v_attempts;

  PERFORM publish_event(p_queue, 'failed',
    jsonb_build_object('jobId', p_id, 'failedReason', p_failed_reason, 'prev', 'active'));
  PERFORM publish_event(p_queue, 'retries-exhausted',
    jsonb_build_object('jobId', p_id, 'attemptsMade', v_attempts));
  PERFORM handle_child_failure(p_queue, p_id, p_failed_reason, p_finished_on);
  PERFORM apply_retention(
    p_queue, p_id, 'failed', p_finished_on, p_remove_all, p_keep_age, p_keep_count
  );

  IF v_dedup_id IS NOT NULL THEN
    PERFORM pg_advisory_xact_lock(
      hashtext('bullmq:dedup:' || p_queue || ':' || v_dedup_id));
  END IF;
  PERFORM dedup_finalize(p_queue, v_dedup_id, p_id, p_finished_on);
  PERFORM requeue_dedup_next(p_queue, v_dedup_id, p_finished_on);

  IF NOT EXISTS (
       SELECT 1 FROM job WHERE queue = p_queue AND state = 'active'
     )
     AND (
       EXISTS (
         SELECT 1 FROM meta
          WHERE queue = p_queue AND field = 'paused' AND value = '1'
       )
       OR NOT EXISTS (
         SELECT 1 FROM job WHERE queue = p_queue AND state = 'waiting'
       )
     ) THEN
    PERFORM publish_event(p_queue, 'drained', '{}'::jsonb);
  END IF;

  RETURN p_finished_on;
END;
$$;


--
-- Name: move_to_failed_fetch(text, text, text, text, jsonb, bigint, boolean, bigint, integer, bigint, bigint, text, integer, bigint); Type: FUNCTION; Schema: bullmq; Owner: -
--

CREATE FUNCTION bullmq.move_to_failed_fetch(p_queue text, p_id text, p_token text, p_failed_reason text, p_stacktrace jsonb, p_finished_on bigint, p_remove_all boolean, p_keep_age bigint, p_keep_count integer, p_lock_ms bigint, p_now bigint, p_name text, p_limiter_max integer, p_limiter_duration bigint) RETURNS SETOF bullmq.job
    LANGUAGE plpgsql
    SET search_path TO 'bullmq'
    AS $$
BEGIN
  PERFORM move_to_failed(
    p_queue, p_id, p_token, p_failed_reason, p_stacktrace,
    p_finished_on, p_remove_all, p_keep_age, p_keep_count);

  RETURN QUERY SELECT * FROM move_to_active(
    p_queue, p_token, p_lock_ms, p_now, p_name, p_limiter_max, p_limiter_duration);
END;
$$;


--
-- Name: move_to_waiting_children(text, text, text); Type: FUNCTION; Schema: bullmq; Owner: -
--

CREATE FUNCTION bullmq.move_to_waiting_children(p_queue text, p_id text, p_token text) RETURNS integer
    LANGUAGE plpgsql
    SET search_path TO 'bullmq'
    AS $$
DECLARE
  v_state   job_state;
  v_lock    text;
  v_pending integer;
BEGIN
  SELECT state, lock_token, pending_deps INTO v_state, v_lock, v_pending
    FROM job WHERE queue = p_queue AND id = p_id FOR UPDATE;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'bullmq: missing job %', p_id USING ERRCODE = 'BM001', DETAIL = '-1';
  END IF;
  -- A parent with a failed child (failParentOnFailure) can never complete its
  -- children step; surface it as an unrecoverable failure (mirrors the
  -- `:unsuccessful` set check in moveToWaitingChildren-7.lua).
  IF EXISTS (
    SELECT 1 FROM job_dependency
     WHERE parent_queue = p_queue AND parent_id = p_id AND status = 'failed'
  ) THEN
    RAISE EXCEPTION 'bullmq: job % has failed children', p_id
      USING ERRCODE = 'BM001', DETAIL = '-9';
  END IF;
  -- Lock check (mirrors removeLock, taken before the active-state check): a
  -- missing lock is -2, a mismatched one is -6; token '0' skips the check.
  IF p_token <> '0' THEN
    IF v_lock IS NULL THEN
      RAISE EXCEPTION 'bullmq: job % missing lock', p_id
        USING ERRCODE = 'BM001', DETAIL = '-2';
    ELSIF v_lock <> p_token THEN
      RAISE EXCEPTION 'bullmq: job % lock mismatch', p_id
        USING ERRCODE = 'BM001', DETAIL = '-6';
    END IF;
  END IF;
  IF v_state <> 'active' THEN
    RAISE EXCEPTION 'bullmq: job % not active', p_id USING ERRCODE = 'BM001', DETAIL = '-3';
  END IF;

  IF v_pending > 0 THEN
    UPDATE job
       SET state = 'waiting-children', lock_token = NULL, locked_until_ms = NULL
     WHERE queue = p_queue AND id = p_id;
    RETURN 1; -- should wait
  END IF;

  RETURN 0; -- no pending children: proceed
END;
$$;


--
-- Name: next_delay(text); Type: FUNCTION; Schema: bullmq; Owner: -
--

CREATE FUNCTION bullmq.next_delay(p_queue text) RETURNS bigint
    LANGUAGE sql
    SET search_path TO 'bullmq'
    AS $$
  SELECT MIN(process_at_ms)
    FROM job
   WHERE queue = p_queue AND state = 'delayed';
$$;


--
-- Name: next_job_id(text); Type: FUNCTION; Schema: bullmq; Owner: -
--

CREATE FUNCTION bullmq.next_job_id(p_queue text) RETURNS text
    LANGUAGE plpgsql
    SET search_path TO 'bullmq'
    AS $$
DECLARE
  v_seq text := job_id_seq_name(p_queue);
BEGIN
  -- Fast path once the sequence exists: a cached catalog lookup + a lock-free
  -- `nextval`. Only the first add(s) for a queue take the creation path; the
  -- advisory lock serializes those racing first-adds so exactly one issues the
  -- DDL (and it is released the moment that add commits).
  IF to_regclass(v_seq) IS NULL THEN
    PERFORM pg_advisory_xact_lock(hashtext('bullmq:jidseq:' || p_queue));
    EXECUTE format('CREATE SEQUENCE IF NOT EXISTS %I', v_seq);
  END IF;
  RETURN nextval(v_seq::regclass)::text;
END;
$$;


--
-- Name: next_signal(text, integer, bigint); Type: FUNCTION; Schema: bullmq; Owner: -
--

CREATE FUNCTION bullmq.next_signal(p_queue text, p_limiter_max integer, p_now bigint) RETURNS TABLE(rate_limit_ttl bigint, next_delay bigint)
    LANGUAGE sql STABLE
    SET search_path TO 'bullmq'
    AS $$
  SELECT rate_limit_effective(p_queue, p_limiter_max, p_now),
         next_delay(p_queue);
$$;


--
-- Name: obliterate(text, integer, boolean); Type: FUNCTION; Schema: bullmq; Owner: -
--

CREATE FUNCTION bullmq.obliterate(p_queue text, p_count integer, p_force boolean) RETURNS integer
    LANGUAGE plpgsql
    SET search_path TO 'bullmq'
    AS $$
DECLARE
  v_ids text[];
  v_final boolean;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('bullmq:finalization'), hashtext(p_queue));

  IF NOT EXISTS (
    SELECT 1 FROM meta
     WHERE queue = p_queue AND field = 'paused' AND value = '1'
  ) THEN
    RETURN -1;
  END IF;

  IF NOT p_force AND EXISTS (
    SELECT 1 FROM job WHERE queue = p_queue AND state = 'active'
  ) THEN
    RETURN -2;
  END IF;

  SELECT COALESCE(array_agg(id), ARRAY[]::text[]) INTO v_ids
    FROM (
      SELECT id FROM job WHERE queue = p_queue ORDER BY id LIMIT p_count
    ) AS batch;
  v_final := cardinality(v_ids) < p_count;

  IF v_final THEN
    PERFORM dedup_id FROM dedup
     WHERE queue = p_queue
     ORDER BY dedup_id
     FOR UPDATE;
  ELSE
    PERFORM dedup_id FROM dedup
     WHERE queue = p_queue AND job_id = ANY(v_ids)
     ORDER BY dedup_id
     FOR UPDATE;
  END IF;

  DELETE FROM job WHERE queue = p_queue AND id = ANY(v_ids);

  IF NOT v_final THEN
    RETURN 1;
  END IF;

  DELETE FROM scheduler  WHERE queue = p_queue;
  DELETE FROM rate_limit WHERE queue = p_queue;
  DELETE FROM event      WHERE queue = p_queue;
  DELETE FROM metrics    WHERE queue = p_queue;
  DELETE FROM dedup      WHERE queue = p_queue;
  DELETE FROM dedup_next WHERE queue = p_queue;
  DELETE FROM meta       WHERE queue = p_queue;
  EXECUTE format(
    'DROP SEQUENCE IF EXISTS %I', job_id_seq_name(p_queue));
  RETURN 0;
END;
$$;


--
-- Name: pause(text, boolean); Type: FUNCTION; Schema: bullmq; Owner: -
--

CREATE FUNCTION bullmq.pause(p_queue text, p_paused boolean) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'bullmq'
    AS $$
BEGIN
  IF p_paused THEN
    INSERT INTO meta (queue, field, value)
    VALUES (p_queue, 'paused', '1')
    ON CONFLICT (queue, field) DO UPDATE SET value = '1';
  ELSE
    -- Resume mirrors Redis `HDEL meta paused`: the field is removed entirely,
    -- so `isPaused` (hasQueueMetaField 'paused') reports false rather than
    -- finding a lingering '0'.
    DELETE FROM meta WHERE queue = p_queue AND field = 'paused';

    -- Wake any worker blocked in waitForJob (LISTEN bullmq_jobs): jobs that were
    -- unclaimable only because the queue was paused are now claimable, but no
    -- `add` (which would notify) is involved. Without this the worker sleeps
    -- until its drainDelay times out. The Redis backend wakes the blocking
    -- fetch via a marker on resume; this is the LISTEN/NOTIFY analogue.
    PERFORM pg_notify('bullmq_jobs', p_queue);
  END IF;

  PERFORM publish_event(
    p_queue, CASE WHEN p_paused THEN 'paused' ELSE 'resumed' END, '{}'::jsonb
  );
END;
$$;


--
-- Name: promote(text, text); Type: FUNCTION; Schema: bullmq; Owner: -
--

CREATE FUNCTION bullmq.promote(p_queue text, p_id text) RETURNS integer
    LANGUAGE plpgsql
    SET search_path TO 'bullmq'
    AS $$
DECLARE
  v_state job_state;
BEGIN
  SELECT state INTO v_state FROM job WHERE queue = p_queue AND id = p_id;
  IF NOT FOUND THEN
    RETURN -1;
  END IF;
  IF v_state <> 'delayed' THEN
    RETURN -3;
  END IF;

  UPDATE job
     SET state = 'waiting',
         process_at_ms = NULL,
         delay_ms = 0,
         seq = nextval('job_seq')
   WHERE queue = p_queue AND id = p_id;

  PERFORM pg_notify('bullmq_jobs', p_queue);
  PERFORM publish_event(p_queue, 'waiting',
    jsonb_build_object('jobId', p_id, 'prev', 'delayed'));
  RETURN 0;
END;
$$;


--
-- Name: promote_jobs(text, integer); Type: FUNCTION; Schema: bullmq; Owner: -
--

CREATE FUNCTION bullmq.promote_jobs(p_queue text, p_count integer) RETURNS integer
    LANGUAGE plpgsql
    SET search_path TO 'bullmq'
    AS $$
DECLARE
  v_moved integer;
BEGIN
  WITH batch AS (
    SELECT id FROM job
     WHERE queue = p_queue AND state = 'delayed'
     ORDER BY process_at_ms
     LIMIT p_count
  )
  UPDATE job j
     SET state = 'waiting', process_at_ms = NULL, seq = nextval('job_seq')
    FROM batch
   WHERE j.queue = p_queue AND j.id = batch.id;

  GET DIAGNOSTICS v_moved = ROW_COUNT;
  IF v_moved > 0 THEN
    PERFORM pg_notify('bullmq_jobs', p_queue);
  END IF;
  RETURN v_moved;
END;
$$;


--
-- Name: publish_event(text, text, jsonb); Type: FUNCTION; Schema: bullmq; Owner: -
--

CREATE FUNCTION bullmq.publish_event(p_queue text, p_event text, p_data jsonb) RETURNS bigint
    LANGUAGE plpgsql
    SET search_path TO 'bullmq'
    AS $$
DECLARE
  v_id      bigint;
  v_max     integer;
BEGIN
  INSERT INTO event (queue, event, data, created_at_ms)
  VALUES (
    p_queue, p_event, COALESCE(p_data, '{}'::jsonb),
    (extract(epoch FROM clock_timestamp()) * 1000)::bigint
  )
  RETURNING id INTO v_id;

  -- Wake event consumers — but coalesce the wakeup under concurrency. Postgres
  -- serializes *every* transaction that issues NOTIFY on a single database-wide
  -- lock at commit (to deliver notifications in commit order), so a NOTIFY on
  -- each of N concurrent workers' commits forces them single-file through that
  -- lock — the dominant processing bottleneck under load (and it caps throughput
  -- across *all* queues and processes, since the lock is global).
  --
  -- A per-queue, transaction-scoped try-lock collapses that: only one committer
  -- per queue actually issues the NOTIFY at a time; concurrent committers skip
  -- it. Skipping is safe because a consumer reads *all* pending events by cursor
  -- on any wake (see readEvents/waitForEvent), and waitForEvent also polls on a
  -- timeout — so a skipped wakeup only defers to the next committer's NOTIFY,
  -- and as concurrency winds down the final committer is uncontended and always
  -- fires. Under low concurrency (e.g. tests) the lock is always free, so every
  -- event notifies exactly as before.
  IF pg_try_advisory_xact_lock(hashtext('bullmq:evnotify:' || p_queue)) THEN
    PERFORM pg_notify('bullmq_events', p_queue);
  END IF;

  SELECT value::integer INTO v_max
    FROM meta
   WHERE queue = p_queue AND field = 'opts.maxLenEvents';
  IF v_max IS NULL THEN
    v_max := 10000;
  END IF;

  -- Trim to (approximately) the most recent `v_max` events. `event.id`
  -- comes from a monotonic sequence, so the cutoff is simply `id - v_max` — an
  -- O(number-of-deleted-rows) DELETE.
  --
  -- Trimming is *chunked*, not per-publish: only every 256th event even attempts
  -- it. Redis's `XADD MAXLEN ~` likewise trims a whole macro-node at a time
  -- rather than on every add — trimming eagerly turns a bulk/concurrent insert
  -- into a stream of DELETEs that contend (and previously deadlocked) with the
  -- concurrent INSERTs on `event`. At 1/256 the table stays within
  -- `v_max + 256`, which is well inside the "approximate" contract. A
  -- non-blocking, per-queue advisory lock further ensures at most one trimmer
  -- per queue at a time; publishers that miss it simply skip (the next one
  -- covers the same rows).
  IF v_max > 0 AND v_id > v_max AND (v_id % 256) = 0 THEN
    IF pg_try_advisory_xact_lock(hashtext('bullmq:evtrim:' || p_queue)) THEN
      DELETE FROM event
       WHERE queue = p_queue AND id <= v_id - v_max;
    END IF;
  END IF;

  RETURN v_id;
END;
$$;


--
-- Name: rate_limit_consume(text, bigint, bigint); Type: FUNCTION; Schema: bullmq; Owner: -
--

CREATE FUNCTION bullmq.rate_limit_consume(p_queue text, p_duration bigint, p_now bigint) RETURNS void
    LANGUAGE sql
    SET search_path TO 'bullmq'
    AS $$
  INSERT INTO rate_limit (queue, points, expire_at_ms)
    VALUES (p_queue, 1, p_now + p_duration)
  ON CONFLICT (queue) DO UPDATE SET
    points = CASE WHEN rate_limit.expire_at_ms <= p_now
                  THEN 1 ELSE rate_limit.points + 1 END,
    expire_at_ms = CASE WHEN rate_limit.expire_at_ms <= p_now
                        THEN p_now + p_duration
                        ELSE rate_limit.expire_at_ms END;
$$;


--
-- Name: rate_limit_effective(text, integer, bigint); Type: FUNCTION; Schema: bullmq; Owner: -
--

CREATE FUNCTION bullmq.rate_limit_effective(p_queue text, p_limiter_max integer, p_now bigint) RETURNS bigint
    LANGUAGE plpgsql STABLE
    SET search_path TO 'bullmq'
    AS $$
DECLARE
  v_meta_max integer;
  v_max      integer;
  v_points   bigint;
  v_expire   bigint;
BEGIN
  SELECT value::integer INTO v_meta_max
    FROM meta WHERE queue = p_queue AND field = 'max';
  v_max := COALESCE(v_meta_max, p_limiter_max);
  IF v_max IS NULL THEN
    RETURN 0;
  END IF;

  SELECT points, expire_at_ms INTO v_points, v_expire
    FROM rate_limit WHERE queue = p_queue;
  IF v_expire IS NULL OR v_expire <= p_now THEN
    RETURN 0;
  END IF;
  IF v_max <= v_points THEN
    RETURN v_expire - p_now;
  END IF;
  RETURN 0;
END;
$$;


--
-- Name: rate_limit_ttl(text, integer, bigint); Type: FUNCTION; Schema: bullmq; Owner: -
--

CREATE FUNCTION bullmq.rate_limit_ttl(p_queue text, p_max_jobs integer, p_now bigint) RETURNS bigint
    LANGUAGE plpgsql STABLE
    SET search_path TO 'bullmq'
    AS $$
DECLARE
  v_points  bigint;
  v_expire  bigint;
  v_active  boolean;
  v_counter bigint;
  v_pttl    bigint;
  v_max     integer;
BEGIN
  SELECT points, expire_at_ms INTO v_points, v_expire
    FROM rate_limit WHERE queue = p_queue;
  v_active  := v_expire IS NOT NULL AND v_expire > p_now;
  v_counter := CASE WHEN v_active THEN v_points ELSE 0 END;
  v_pttl    := CASE WHEN v_active THEN v_expire - p_now ELSE -2 END;

  IF p_max_jobs IS NOT NULL AND p_max_jobs > 0 THEN
    IF p_max_jobs <= v_counter AND v_pttl > 0 THEN
      RETURN v_pttl;
    END IF;
    RETURN 0;
  END IF;

  SELECT value::integer INTO v_max
    FROM meta WHERE queue = p_queue AND field = 'max';
  IF v_max IS NOT NULL THEN
    IF v_max <= v_counter AND v_pttl > 0 THEN
      RETURN v_pttl;
    END IF;
    RETURN 0;
  END IF;

  RETURN v_pttl;
END;
$$;


--
-- Name: relay_delete_retained(text, text); Type: FUNCTION; Schema: bullmq; Owner: -
--

CREATE FUNCTION bullmq.relay_delete_retained(p_ns text, p_topic text) RETURNS boolean
    LANGUAGE plpgsql
    AS $$
BEGIN
  IF relay_parse_topic(p_topic, false) IS NULL THEN
    RAISE EXCEPTION 'bullmq: relay invalid topic %', p_topic
      USING ERRCODE = 'BM001', DETAIL = '-1';
  END IF;
  -- Same lock as publishes and exact subscriptions of the topic.
  PERFORM pg_advisory_xact_lock(hashtext(p_ns), hashtext(p_topic));
  DELETE FROM relay_retained
   WHERE ns = p_ns AND topic = p_topic
     AND expires_at >= clock_timestamp();
  RETURN FOUND;
END;
$$;


--
-- Name: relay_get_counts(text); Type: FUNCTION; Schema: bullmq; Owner: -
--

CREATE FUNCTION bullmq.relay_get_counts(p_ns text) RETURNS TABLE(nodes integer, subscriptions integer, patterns integer, retained integer)
    LANGUAGE sql STABLE
    AS $$
  SELECT
    (SELECT count(*)::integer FROM relay_node WHERE ns = p_ns),
    (SELECT count(*)::integer FROM relay_subscription WHERE ns = p_ns),
    (SELECT count(DISTINCT pattern)::integer
       FROM relay_subscription WHERE ns = p_ns),
    (SELECT count(*)::integer FROM relay_retained
      WHERE ns = p_ns AND expires_at > clock_timestamp());
$$;


--
-- Name: relay_get_namespaces(); Type: FUNCTION; Schema: bullmq; Owner: -
--

CREATE FUNCTION bullmq.relay_get_namespaces() RETURNS SETOF text
    LANGUAGE sql STABLE
    AS $$
  SELECT u.ns FROM (
    SELECT ns FROM relay_node WHERE lease_until > clock_timestamp()
    UNION
    SELECT ns FROM relay_retained WHERE expires_at > clock_timestamp()
  ) u
  ORDER BY u.ns COLLATE "C";
$$;


--
-- Name: relay_get_nodes(text, integer, integer); Type: FUNCTION; Schema: bullmq; Owner: -
--

CREATE FUNCTION bullmq.relay_get_nodes(p_ns text, p_start integer, p_end integer) RETURNS TABLE(node_id text, registered_at bigint, lease_until bigint, info jsonb, last_heartbeat bigint, backlog integer, dropped bigint, subscriptions integer)
    LANGUAGE sql STABLE
    AS $$
  SELECT n.node_id, relay_ms(n.registered_at), relay_ms(n.lease_until),
         CASE WHEN n.lease_until > clock_timestamp() THEN n.info END,
         CASE WHEN n.lease_until > clock_timestamp()
              THEN relay_ms(n.last_heartbeat) END,
         CASE WHEN n.lease_until > clock_timestamp() THEN n.backlog ELSE 0 END,
         CASE WHEN n.lease_until > clock_timestamp() THEN n.dropped ELSE 0 END,
         (SELECT count(*)::integer FROM relay_subscription s
           WHERE s.ns = n.ns AND s.node_id = n.node_id)
    FROM relay_node n
   WHERE n.ns = p_ns
   ORDER BY n.registered_at, n.node_id COLLATE "C"
  OFFSET p_start
   LIMIT relay_page_limit(p_start, p_end);
$$;


--
-- Name: relay_get_patterns(text, integer, integer); Type: FUNCTION; Schema: bullmq; Owner: -
--

CREATE FUNCTION bullmq.relay_get_patterns(p_ns text, p_start integer, p_end integer) RETURNS TABLE(pattern text, subscriptions integer)
    LANGUAGE sql STABLE
    AS $$
  SELECT s.pattern, count(*)::integer
    FROM relay_subscription s
   WHERE s.ns = p_ns
   GROUP BY s.pattern
   ORDER BY s.pattern COLLATE "C"
  OFFSET p_start
   LIMIT relay_page_limit(p_start, p_end);
$$;


--
-- Name: relay_get_retained(text, integer, integer); Type: FUNCTION; Schema: bullmq; Owner: -
--

CREATE FUNCTION bullmq.relay_get_retained(p_ns text, p_start integer, p_end integer) RETURNS TABLE(topic text, expires_at bigint, mid bigint, ts bigint, data text)
    LANGUAGE sql STABLE
    AS $$
  SELECT r.topic, relay_ms(r.expires_at), r.mid, r.ts, r.data
    FROM relay_retained r
   WHERE r.ns = p_ns AND r.expires_at > clock_timestamp()
   ORDER BY r.expires_at, r.topic COLLATE "C"
  OFFSET p_start
   LIMIT relay_page_limit(p_start, p_end);
$$;


--
-- Name: relay_get_subscriptions(text, text, text, integer, integer); Type: FUNCTION; Schema: bullmq; Owner: -
--

CREATE FUNCTION bullmq.relay_get_subscriptions(p_ns text, p_node text, p_pattern text, p_start integer, p_end integer) RETURNS TABLE(node_id text, endpoint_id text, pattern text)
    LANGUAGE sql STABLE
    AS $$
  SELECT s.node_id, s.endpoint_id, s.pattern
    FROM relay_subscription s
   WHERE s.ns = p_ns
     AND (p_node IS NULL OR s.node_id = p_node)
     AND (p_pattern IS NULL OR s.pattern = p_pattern)
   ORDER BY (CASE
              WHEN p_node IS NOT NULL THEN s.endpoint_id || '|' || s.pattern
              WHEN p_pattern IS NOT NULL THEN s.node_id || '|' || s.endpoint_id
              ELSE s.node_id || '|' || s.endpoint_id || '|' || s.pattern
            END) COLLATE "C"
  OFFSET p_start
   LIMIT relay_page_limit(p_start, p_end);
$$;


--
-- Name: relay_heartbeat(text, text, bigint); Type: FUNCTION; Schema: bullmq; Owner: -
--

CREATE FUNCTION bullmq.relay_heartbeat(p_ns text, p_node text, p_lease_ms bigint) RETURNS boolean
    LANGUAGE plpgsql
    AS $$
BEGIN
  UPDATE relay_node
     SET lease_until = clock_timestamp() + p_lease_ms * interval '1 millisecond',
         last_heartbeat = clock_timestamp()
   WHERE ns = p_ns AND node_id = p_node
     AND lease_until > clock_timestamp();
  RETURN FOUND;
END;
$$;


--
-- Name: relay_is_valid_id(text); Type: FUNCTION; Schema: bullmq; Owner: -
--

CREATE FUNCTION bullmq.relay_is_valid_id(p_id text) RETURNS boolean
    LANGUAGE sql IMMUTABLE
    AS $_$
  SELECT p_id IS NOT NULL AND p_id ~ '^[A-Za-z0-9_-]{1,64}$';
$_$;


--
-- Name: relay_match_topic(text[], text[]); Type: FUNCTION; Schema: bullmq; Owner: -
--

CREATE FUNCTION bullmq.relay_match_topic(p_pattern text[], p_topic text[]) RETURNS boolean
    LANGUAGE plpgsql IMMUTABLE
    AS $$
DECLARE
  v_topic_count integer := cardinality(p_topic);
  v_pattern_count integer := cardinality(p_pattern);
BEGIN
  FOR i IN 1..v_pattern_count LOOP
    IF p_pattern[i] = '>' THEN
      RETURN v_topic_count >= i;
    END IF;
    IF i > v_topic_count THEN
      RETURN false;
    END IF;
    IF p_pattern[i] <> '*' AND p_pattern[i] <> p_topic[i] THEN
      RETURN false;
    END IF;
  END LOOP;
  RETURN v_pattern_count = v_topic_count;
END;
$$;


--
-- Name: relay_ms(timestamp with time zone); Type: FUNCTION; Schema: bullmq; Owner: -
--

CREATE FUNCTION bullmq.relay_ms(p_time timestamp with time zone) RETURNS bigint
    LANGUAGE sql STABLE
    AS $$
  SELECT floor(extract(epoch FROM p_time) * 1000)::bigint;
$$;


--
-- Name: relay_page_limit(integer, integer); Type: FUNCTION; Schema: bullmq; Owner: -
--

CREATE FUNCTION bullmq.relay_page_limit(p_start integer, p_end integer) RETURNS bigint
    LANGUAGE sql IMMUTABLE
    AS $$
  SELECT CASE WHEN p_end < 0 THEN NULL ELSE greatest(p_end - p_start + 1, 0) END;
$$;


--
-- Name: relay_parse_topic(text, boolean); Type: FUNCTION; Schema: bullmq; Owner: -
--

CREATE FUNCTION bullmq.relay_parse_topic(p_value text, p_allow_wildcards boolean) RETURNS text[]
    LANGUAGE plpgsql IMMUTABLE
    AS $_$
DECLARE
  v_segments text[];
  v_count integer;
  v_segment text;
BEGIN
  IF p_value IS NULL OR octet_length(p_value) = 0
     OR octet_length(p_value) > 512 THEN
    RETURN NULL;
  END IF;
  v_segments := string_to_array(p_value, '.');
  v_count := cardinality(v_segments);
  IF v_count > 16 THEN
    RETURN NULL;
  END IF;
  FOR i IN 1..v_count LOOP
    v_segment := v_segments[i];
    IF p_allow_wildcards AND v_segment = '*' THEN
      CONTINUE;
    END IF;
    IF p_allow_wildcards AND v_segment = '>' THEN
      IF i <> v_count THEN
        RETURN NULL;
      END IF;
      CONTINUE;
    END IF;
    IF v_segment !~ '^[A-Za-z0-9_:%-]+$' THEN
      RETURN NULL;
    END IF;
  END LOOP;
  RETURN v_segments;
END;
$_$;


--
-- Name: relay_publish(text, text, text, bigint, bigint, integer); Type: FUNCTION; Schema: bullmq; Owner: -
--

CREATE FUNCTION bullmq.relay_publish(p_ns text, p_topic text, p_data text, p_ts bigint, p_retain_ms bigint, p_max_size integer) RETURNS TABLE(message_id bigint, node_count integer, endpoint_count integer)
    LANGUAGE plpgsql
    AS $$
DECLARE
  v_segments text[];
  v_row record;
BEGIN
  v_segments := relay_parse_topic(p_topic, false);
  IF v_segments IS NULL THEN
    RAISE EXCEPTION 'bullmq: relay invalid topic %', p_topic
      USING ERRCODE = 'BM001', DETAIL = '-1';
  END IF;
  IF octet_length(p_data) > p_max_size THEN
    RAISE EXCEPTION 'bullmq: relay data too large'
      USING ERRCODE = 'BM001', DETAIL = '-4';
  END IF;

  -- See relay_subscribe.
  PERFORM pg_advisory_xact_lock(hashtext(p_ns), hashtext(p_topic));
  message_id := nextval('relay_mid_seq');
  node_count := 0;
  endpoint_count := 0;

  IF p_retain_ms > 0 THEN
    INSERT INTO relay_retained (ns, topic, mid, ts, data, expires_at)
    VALUES (
      p_ns, p_topic, message_id, p_ts, p_data,
      clock_timestamp() + p_retain_ms * interval '1 millisecond'
    )
    ON CONFLICT (ns, topic) DO UPDATE
      SET mid = EXCLUDED.mid, ts = EXCLUDED.ts, data = EXCLUDED.data,
          expires_at = EXCLUDED.expires_at;
  END IF;

  FOR v_row IN
    WITH matched AS (
      -- Exact subscriptions: a primary-key lookup, whatever their number.
      SELECT s.node_id, s.endpoint_id
        FROM relay_subscription s
       WHERE s.ns = p_ns AND s.pattern = p_topic
      UNION ALL
      -- Wildcard subscriptions: only those indexed under the topic's first
      -- segment (or a wildcard root) are matched one by one.
      SELECT s.node_id, s.endpoint_id
        FROM relay_subscription s
       WHERE s.ns = p_ns
         AND s.root IN (v_segments[1], '*')
         AND relay_match_topic(string_to_array(s.pattern, '.'), v_segments)
    ), live AS (
      -- Locks the target nodes so a concurrent sweep can't delete them before
      -- their inbox rows are inserted (the sweep skips locked nodes; a node it
      -- deleted first is simply not returned here).
      SELECT n.node_id
        FROM relay_node n
       WHERE n.ns = p_ns
         AND n.node_id IN (SELECT matched.node_id FROM matched)
         AND n.lease_until >= clock_timestamp()
         FOR KEY SHARE
    )
    INSERT INTO relay_inbox (ns, node_id, kind, topic, mid, ts, data, endpoints)
    SELECT p_ns, m.node_id, 'msg', p_topic, message_id, p_ts, p_data,
           array_agg(DISTINCT m.endpoint_id ORDER BY m.endpoint_id)
      FROM matched m
      JOIN live l ON l.node_id = m.node_id
     GROUP BY m.node_id
    RETURNING relay_inbox.node_id AS node_id,
              cardinality(relay_inbox.endpoints) AS endpoint_total
  LOOP
    node_count := node_count + 1;
    endpoint_count := endpoint_count + v_row.endpoint_total;
    PERFORM pg_notify('bullmq_relay', p_ns || ':' || v_row.node_id);
  END LOOP;

  RETURN NEXT;
END;
$$;


--
-- Name: relay_inbox; Type: TABLE; Schema: bullmq; Owner: -
--

CREATE TABLE bullmq.relay_inbox (
    id bigint NOT NULL,
    ns text NOT NULL,
    node_id text NOT NULL,
    kind text NOT NULL,
    topic text NOT NULL,
    mid bigint NOT NULL,
    ts bigint NOT NULL,
    data text NOT NULL,
    endpoints text[] NOT NULL
);


--
-- Name: relay_read_inbox(text, text, bigint[], integer); Type: FUNCTION; Schema: bullmq; Owner: -
--

CREATE FUNCTION bullmq.relay_read_inbox(p_ns text, p_node text, p_ack bigint[], p_limit integer) RETURNS SETOF bullmq.relay_inbox
    LANGUAGE plpgsql
    AS $$
DECLARE
  v_rows relay_inbox[];
BEGIN
  -- Lock the node before its inbox rows, as relay_trim_inbox does.
  PERFORM 1 FROM relay_node
    WHERE ns = p_ns AND node_id = p_node
    FOR NO KEY UPDATE;
  IF cardinality(p_ack) > 0 THEN
    DELETE FROM relay_inbox
     WHERE ns = p_ns AND node_id = p_node AND id = ANY (p_ack);
  END IF;
  SELECT coalesce(array_agg(b ORDER BY b.id), '{}') INTO v_rows
    FROM (
      SELECT i.*
        FROM relay_inbox i
       WHERE i.ns = p_ns AND i.node_id = p_node
         AND EXISTS (
           SELECT 1
             FROM relay_node n
            WHERE n.ns = p_ns AND n.node_id = p_node
              AND n.lease_until > clock_timestamp()
         )
       ORDER BY i.id
       LIMIT p_limit
    ) b;
  UPDATE relay_node
     SET in_flight = ARRAY(SELECT r.id FROM unnest(v_rows) r)
   WHERE ns = p_ns AND node_id = p_node;
  RETURN QUERY SELECT r.* FROM unnest(v_rows) r ORDER BY r.id;
END;
$$;


--
-- Name: relay_register_node(text, text, bigint, jsonb); Type: FUNCTION; Schema: bullmq; Owner: -
--

CREATE FUNCTION bullmq.relay_register_node(p_ns text, p_node text, p_lease_ms bigint, p_info jsonb) RETURNS void
    LANGUAGE plpgsql
    AS $$
BEGIN
  IF NOT relay_is_valid_id(p_node) THEN
    RAISE EXCEPTION 'bullmq: relay invalid node id %', p_node
      USING ERRCODE = 'BM001', DETAIL = '-5';
  END IF;
  DELETE FROM relay_node
   WHERE ns = p_ns AND node_id = p_node
     AND lease_until <= clock_timestamp();
  INSERT INTO relay_node (ns, node_id, lease_until, last_heartbeat, info)
  VALUES (
    p_ns, p_node, clock_timestamp() + p_lease_ms * interval '1 millisecond',
    clock_timestamp(), p_info
  )
  ON CONFLICT (ns, node_id)
  DO UPDATE SET lease_until = EXCLUDED.lease_until,
                last_heartbeat = EXCLUDED.last_heartbeat,
                info = EXCLUDED.info;
END;
$$;


--
-- Name: relay_remove_endpoint(text, text, text); Type: FUNCTION; Schema: bullmq; Owner: -
--

CREATE FUNCTION bullmq.relay_remove_endpoint(p_ns text, p_node text, p_endpoint text) RETURNS integer
    LANGUAGE plpgsql
    AS $$
DECLARE
  v_count integer;
BEGIN
  WITH removed AS (
    DELETE FROM relay_subscription
     WHERE ns = p_ns AND node_id = p_node AND endpoint_id = p_endpoint
    RETURNING 1
  )
  SELECT count(*) INTO v_count FROM removed;
  RETURN v_count;
END;
$$;


--
-- Name: relay_subscribe(text, text, text, text); Type: FUNCTION; Schema: bullmq; Owner: -
--

CREATE FUNCTION bullmq.relay_subscribe(p_ns text, p_node text, p_endpoint text, p_pattern text) RETURNS TABLE(added boolean, retained_mid bigint, retained_ts bigint, retained_data text)
    LANGUAGE plpgsql
    AS $$
DECLARE
  v_segments text[];
  v_has_wildcards boolean;
BEGIN
  IF NOT relay_is_valid_id(p_node) OR NOT relay_is_valid_id(p_endpoint) THEN
    RAISE EXCEPTION 'bullmq: relay invalid id'
      USING ERRCODE = 'BM001', DETAIL = '-5';
  END IF;
  v_segments := relay_parse_topic(p_pattern, true);
  IF v_segments IS NULL THEN
    RAISE EXCEPTION 'bullmq: relay invalid pattern %', p_pattern
      USING ERRCODE = 'BM001', DETAIL = '-2';
  END IF;
  v_has_wildcards := '*' = ANY (v_segments) OR '>' = ANY (v_segments);
  IF NOT v_has_wildcards THEN
    PERFORM pg_advisory_xact_lock(hashtext(p_ns), hashtext(p_pattern));
  END IF;

  -- Keep the live node registered until its subscription is stored.
  PERFORM 1 FROM relay_node
    WHERE ns = p_ns AND node_id = p_node
      AND lease_until > clock_timestamp()
    FOR KEY SHARE;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'bullmq: relay node % not registered', p_node
      USING ERRCODE = 'BM001', DETAIL = '-3';
  END IF;

  INSERT INTO relay_subscription (ns, node_id, endpoint_id, pattern, root)
  VALUES (
    p_ns, p_node, p_endpoint, p_pattern,
    CASE
      WHEN NOT v_has_wildcards THEN NULL
      WHEN v_segments[1] IN ('*', '>') THEN '*'
      ELSE v_segments[1]
    END
  )
  ON CONFLICT DO NOTHING;
  added := FOUND;

  IF NOT v_has_wildcards THEN
    SELECT r.mid, r.ts, r.data
      INTO retained_mid, retained_ts, retained_data
      FROM relay_retained r
     WHERE r.ns = p_ns AND r.topic = p_pattern
       AND r.expires_at >= clock_timestamp();
  END IF;
  RETURN NEXT;
END;
$$;


--
-- Name: relay_sweep(text, integer); Type: FUNCTION; Schema: bullmq; Owner: -
--

CREATE FUNCTION bullmq.relay_sweep(p_ns text, p_limit integer) RETURNS SETOF text
    LANGUAGE plpgsql
    AS $$
BEGIN
  WITH expired AS (
    SELECT r.ns, r.topic
      FROM relay_retained r
     WHERE r.expires_at < statement_timestamp()
     ORDER BY r.expires_at
     LIMIT p_limit
       FOR UPDATE SKIP LOCKED
  )
  DELETE FROM relay_retained r
   USING expired e
   WHERE r.ns = e.ns AND r.topic = e.topic;

  RETURN QUERY
    WITH expired AS (
      SELECT n.ns, n.node_id
        FROM relay_node n
       WHERE n.lease_until < clock_timestamp()
       ORDER BY n.lease_until
       LIMIT p_limit
         FOR UPDATE SKIP LOCKED
    ), removed AS (
      DELETE FROM relay_node n
       USING expired e
       WHERE n.ns = e.ns AND n.node_id = e.node_id
      RETURNING n.ns, n.node_id
    )
    SELECT removed.node_id FROM removed WHERE removed.ns = p_ns;
END;
$$;


--
-- Name: relay_trim_inbox(text, text, bigint[], integer); Type: FUNCTION; Schema: bullmq; Owner: -
--

CREATE FUNCTION bullmq.relay_trim_inbox(p_ns text, p_node text, p_ack bigint[], p_max_len integer) RETURNS integer
    LANGUAGE plpgsql
    AS $$
DECLARE
  v_oldest_kept bigint;
  v_dropped integer := 0;
  v_count integer;
  v_in_flight bigint[];
BEGIN
  -- Lock the node before its inbox rows, in the same order as unregistering
  -- and sweeping (which delete the node, then cascade to its inbox).
  SELECT in_flight INTO v_in_flight FROM relay_node
    WHERE ns = p_ns AND node_id = p_node
    FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    RETURN 0;
  END IF;

  IF cardinality(p_ack) > 0 THEN
    DELETE FROM relay_inbox
     WHERE ns = p_ns AND node_id = p_node AND id = ANY (p_ack);
  END IF;

  SELECT id INTO v_oldest_kept
    FROM relay_inbox
   WHERE ns = p_ns AND node_id = p_node
   ORDER BY id DESC
  OFFSET p_max_len - 1
   LIMIT 1;
  IF v_oldest_kept IS NOT NULL THEN
    WITH removed AS (
      DELETE FROM relay_inbox
       WHERE ns = p_ns AND node_id = p_node AND id < v_oldest_kept
      RETURNING id
    )
    SELECT count(*)::integer INTO v_dropped
      FROM removed
     WHERE removed.id <> ALL (v_in_flight);
  END IF;

  SELECT count(*)::integer INTO v_count
    FROM relay_inbox
   WHERE ns = p_ns AND node_id = p_node;
  UPDATE relay_node
     SET backlog = v_count, dropped = dropped + v_dropped
   WHERE ns = p_ns AND node_id = p_node;
  RETURN v_count;
END;
$$;


--
-- Name: relay_unregister_node(text, text); Type: FUNCTION; Schema: bullmq; Owner: -
--

CREATE FUNCTION bullmq.relay_unregister_node(p_ns text, p_node text) RETURNS boolean
    LANGUAGE plpgsql
    AS $$
BEGIN
  DELETE FROM relay_node WHERE ns = p_ns AND node_id = p_node;
  RETURN FOUND;
END;
$$;


--
-- Name: remove(text, text, boolean); Type: FUNCTION; Schema: bullmq; Owner: -
--

CREATE FUNCTION bullmq.remove(p_queue text, p_id text, p_remove_children boolean) RETURNS integer
    LANGUAGE plpgsql
    SET search_path TO 'bullmq'
    AS $$
DECLARE
  v_found     boolean := false;
  v_scheduler text;
  v_pq        text;
  v_pid       text;
  v_locked    boolean;
  v_remaining integer;
  v_deleted   integer := 0;
  v_now       bigint := (extract(epoch from clock_timestamp()) * 1000)::bigint;
  r           RECORD;
BEGIN
  SELECT true, scheduler_id, parent_queue, parent_id
    INTO v_found, v_scheduler, v_pq, v_pid
    FROM job WHERE queue = p_queue AND id = p_id;

  IF NOT COALESCE(v_found, false) THEN
    RETURN 0;
  END IF;

  IF v_scheduler IS NOT NULL THEN
    RAISE EXCEPTION 'job belongs to a scheduler'
      USING ERRCODE = 'BM001', DETAIL = '-8';
  END IF;

  -- Lock check. A job cannot be removed while it is locked; with removeChildren
  -- the check recurses through still-pending descendants (mirrors isLocked()).
  IF p_remove_children THEN
    WITH RECURSIVE subtree AS (
      SELECT p_queue AS q, p_id AS id
      UNION
      SELECT d.child_queue, d.child_id
        FROM subtree s
        JOIN job_dependency d
          ON d.parent_queue = s.q AND d.parent_id = s.id
         AND d.status = 'pending'
    )
    SELECT EXISTS (
      SELECT 1 FROM subtree s
       JOIN job j ON j.queue = s.q AND j.id = s.id
      WHERE j.lock_token IS NOT NULL AND j.locked_until_ms > v_now
    ) INTO v_locked;
  ELSE
    SELECT lock_token IS NOT NULL AND locked_until_ms > v_now INTO v_locked
      FROM job WHERE queue = p_queue AND id = p_id;
  END IF;

  IF v_locked THEN
    RETURN 0;
  END IF;

  -- Detach the removed root from its parent's pending dependency set; if that
  -- clears the parent's last pending dependency, promote it to wait. Only
  -- pending links matter (a processed/failed child was already accounted for).
  IF v_pq IS NOT NULL AND v_pid IS NOT NULL THEN
    DELETE FROM job_dependency
     WHERE parent_queue = v_pq AND parent_id = v_pid
       AND child_key = p_queue || ':' || p_id
       AND status = 'pending';
    IF FOUND THEN
      UPDATE job SET pending_deps = GREATEST(pending_deps - 1, 0)
       WHERE queue = v_pq AND id = v_pid
      RETURNING pending_deps INTO v_remaining;
      IF v_remaining = 0 THEN
        PERFORM move_parent_to_wait(v_pq, v_pid, v_now);
      END IF;
    END IF;
  END IF;

  IF p_remove_children THEN
    -- Delete the whole subtree (root + descendants via parent_queue/parent_id).
    FOR r IN
      WITH RECURSIVE subtree AS (
        SELECT p_queue AS q, p_id AS id, dedup_id AS dd
          FROM job WHERE queue = p_queue AND id = p_id
        UNION
        SELECT j.queue, j.id, j.dedup_id
          FROM subtree s
          JOIN job j ON j.parent_queue = s.q AND j.parent_id = s.id
      )
      SELECT q, id, dd FROM subtree
    LOOP
      PERFORM dedup_on_removal(r.q, r.id, r.dd);
      DELETE FROM job WHERE queue = r.q AND id = r.id;
      v_deleted := v_deleted + 1;
    END LOOP;
  ELSE
    PERFORM dedup_on_removal(
      p_queue, p_id,
      (SELECT dedup_id FROM job WHERE queue = p_queue AND id = p_id));
    DELETE FROM job WHERE queue = p_queue AND id = p_id;
    GET DIAGNOSTICS v_deleted = ROW_COUNT;
  END IF;

  RETURN v_deleted;
END;
$$;


--
-- Name: remove_child_dependency(text, text, text, bigint); Type: FUNCTION; Schema: bullmq; Owner: -
--

CREATE FUNCTION bullmq.remove_child_dependency(p_queue text, p_id text, p_parent_key text, p_now bigint) RETURNS integer
    LANGUAGE plpgsql
    SET search_path TO 'bullmq'
    AS $$
DECLARE
  v_pq        text;
  v_pid       text;
  v_deleted   integer;
  v_remaining integer;
BEGIN
  SELECT parent_queue, parent_id INTO v_pq, v_pid
    FROM job WHERE queue = p_queue AND id = p_id;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'bullmq: missing job %', p_id
      USING ERRCODE = 'BM001', DETAIL = '-1';
  END IF;
  IF v_pq IS NULL OR v_pid IS NULL THEN
    RETURN 1; -- no relationship
  END IF;
  IF NOT EXISTS (
    SELECT 1 FROM job WHERE queue = v_pq AND id = v_pid
  ) THEN
    RAISE EXCEPTION 'bullmq: missing parent %', p_parent_key
      USING ERRCODE = 'BM001', DETAIL = '-5';
  END IF;

  DELETE FROM job_dependency
   WHERE parent_queue = v_pq AND parent_id = v_pid
     AND child_key = p_queue || ':' || p_id;
  GET DIAGNOSTICS v_deleted = ROW_COUNT;
  IF v_deleted = 0 THEN
    RETURN 1;
  END IF;

  -- Detach the child and release the parent if it has no more pending deps.
  UPDATE job
     SET parent_queue = NULL, parent_id = NULL, parent_key = NULL
   WHERE queue = p_queue AND id = p_id;
  -- Serialize with concurrent child resolutions of the same parent (see
  -- move_to_completed) to avoid a pending_deps deadlock.
  PERFORM pg_advisory_xact_lock(
    hashtext('bullmq:parent:' || v_pq || ':' || v_pid));
  UPDATE job SET pending_deps = GREATEST(pending_deps - 1, 0)
   WHERE queue = v_pq AND id = v_pid
  RETURNING pending_deps INTO v_remaining;
  IF v_remaining = 0 THEN
    PERFORM move_parent_to_wait(v_pq, v_pid, p_now);
  END IF;
  RETURN 0;
END;
$$;


--
-- Name: remove_job_scheduler(text, text); Type: FUNCTION; Schema: bullmq; Owner: -
--

CREATE FUNCTION bullmq.remove_job_scheduler(p_queue text, p_scheduler_id text) RETURNS integer
    LANGUAGE plpgsql
    SET search_path TO 'bullmq'
    AS $$
DECLARE
  v_next    bigint;
  v_jobid   text;
  v_removed integer;
BEGIN
  -- Remove only the scheduler's *next* programmed job, and only while it is
  -- still delayed (mirrors removeJobScheduler-3.lua, which ZREMs the id
  -- `repeat:<id>:<next_run_ms>` from the delayed set). A job that has already
  -- been promoted (waiting/active/…) or processed survives — that surviving
  -- job is what later collides with a re-created scheduler to emit
  -- 'duplicated'. Deleting every delayed/waiting job of the scheduler would
  -- wrongly reap the promoted job.
  SELECT next_run_ms INTO v_next
    FROM scheduler
   WHERE queue = p_queue AND scheduler_id = p_scheduler_id;

  IF v_next IS NOT NULL THEN
    v_jobid := 'repeat:' || p_scheduler_id || ':' || v_next;
    DELETE FROM job
     WHERE queue = p_queue AND id = v_jobid AND state = 'delayed';
    IF FOUND THEN
      PERFORM publish_event(p_queue, 'removed',
        jsonb_build_object('jobId', v_jobid, 'prev', 'delayed'));
    END IF;
  END IF;

  DELETE FROM scheduler
   WHERE queue = p_queue AND scheduler_id = p_scheduler_id;
  GET DIAGNOSTICS v_removed = ROW_COUNT;
  RETURN CASE WHEN v_removed > 0 THEN 0 ELSE 1 END;
END;
$$;


--
-- Name: remove_unprocessed_children(text, text); Type: FUNCTION; Schema: bullmq; Owner: -
--

CREATE FUNCTION bullmq.remove_unprocessed_children(p_queue text, p_id text) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'bullmq'
    AS $$
DECLARE
  r RECORD;
BEGIN
  FOR r IN
    WITH RECURSIVE subtree AS (
      SELECT j.queue AS q, j.id AS id
        FROM job_dependency d
        JOIN job j ON j.queue = d.child_queue AND j.id = d.child_id
       WHERE d.parent_queue = p_queue AND d.parent_id = p_id
         AND d.status = 'pending'
         AND j.state NOT IN ('active', 'failed', 'completed')
         AND j.lock_token IS NULL
      UNION
      SELECT j.queue, j.id
        FROM subtree s
        JOIN job_dependency d
          ON d.parent_queue = s.q AND d.parent_id = s.id AND d.status = 'pending'
        JOIN job j ON j.queue = d.child_queue AND j.id = d.child_id
       WHERE j.state NOT IN ('active', 'failed', 'completed')
         AND j.lock_token IS NULL
    )
    SELECT q, id FROM subtree
  LOOP
    -- Decrement the (live) parent's pending counter for direct children.
    UPDATE job p SET pending_deps = GREATEST(pending_deps - 1, 0)
      FROM job_dependency d
     WHERE d.child_queue = r.q AND d.child_id = r.id AND d.status = 'pending'
       AND p.queue = d.parent_queue AND p.id = d.parent_id;
    DELETE FROM job WHERE queue = r.q AND id = r.id;
    PERFORM publish_event(r.q, 'removed',
      jsonb_build_object('jobId', r.id, 'prev', 'waiting'));
  END LOOP;
END;
$$;


--
-- Name: reprocess_job(text, text, text, boolean, boolean, boolean); Type: FUNCTION; Schema: bullmq; Owner: -
--

CREATE FUNCTION bullmq.reprocess_job(p_queue text, p_id text, p_state text, p_lifo boolean, p_reset_made boolean, p_reset_started boolean) RETURNS integer
    LANGUAGE plpgsql
    SET search_path TO 'bullmq'
    AS $$
DECLARE
  v_state job_state;
  v_seq   bigint;
  v_pq    text;
  v_pid   text;
BEGIN
  SELECT state, parent_queue, parent_id INTO v_state, v_pq, v_pid
    FROM job WHERE queue = p_queue AND id = p_id FOR UPDATE;
  IF NOT FOUND THEN
    RETURN -1;
  END IF;
  IF v_state <> p_state::job_state THEN
    RETURN -3;
  END IF;

  v_seq := nextval('job_seq');
  IF p_lifo THEN
    v_seq := -v_seq;
  END IF;

  UPDATE job
     SET state = 'waiting',
         seq = v_seq,
         process_at_ms = NULL,
         processed_at_ms = NULL,
         finished_at_ms = NULL,
         return_value = NULL,
         failed_reason = NULL,
         stacktrace = NULL,
         attempts_made = CASE WHEN p_reset_made THEN 0 ELSE attempts_made END,
         attempts_started =
           CASE WHEN p_reset_started THEN 0 ELSE attempts_started END
   WHERE queue = p_queue AND id = p_id;

  -- A retried child must be awaited again by its parent: move its dependency
  -- back to pending and re-count it (mirrors reprocessJob-8.lua re-adding the
  -- job to the parent's :dependencies set).
  IF v_pq IS NOT NULL AND v_pid IS NOT NULL
     AND EXISTS (SELECT 1 FROM job WHERE queue = v_pq AND id = v_pid) THEN
    UPDATE job_dependency
       SET status = 'pending', value = NULL
     WHERE parent_queue = v_pq AND parent_id = v_pid
       AND child_key = p_queue || ':' || p_id
       AND status = (CASE WHEN p_state = 'failed' THEN 'failed'
                          ELSE 'processed' END)::dep_status;
    IF FOUND THEN
      UPDATE job SET pending_deps = pending_deps + 1
       WHERE queue = v_pq AND id = v_pid;
    END IF;
  END IF;

  PERFORM pg_notify('bullmq_jobs', p_queue);
  PERFORM publish_event(p_queue, 'waiting',
    jsonb_build_object('jobId', p_id, 'prev', p_state));
  RETURN 1;
END;
$$;


--
-- Name: requeue_dedup_next(text, text, bigint); Type: FUNCTION; Schema: bullmq; Owner: -
--

CREATE FUNCTION bullmq.requeue_dedup_next(p_queue text, p_dedup_id text, p_now bigint) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'bullmq'
    AS $$
DECLARE
  v_payload  jsonb;
  v_name     text;
  v_data     jsonb;
  v_opts     jsonb;
  v_job_id   text;
  v_de       jsonb;
  v_delay    bigint;
  v_priority integer;
  v_lifo     boolean;
  v_keeplast boolean;
  v_ttl      bigint;
  v_seq      bigint;
  v_state    job_state;
  v_process_at bigint;
BEGIN
  IF p_dedup_id IS NULL OR p_dedup_id = '' THEN
    RETURN;
  END IF;
  SELECT payload INTO v_payload
    FROM dedup_next WHERE queue = p_queue AND dedup_id = p_dedup_id;
  IF NOT FOUND THEN
    RETURN;
  END IF;

  v_name   := v_payload->>'name';
  v_data   := COALESCE(v_payload->'data', '{}'::jsonb);
  v_opts   := COALESCE(v_payload->'opts', '{}'::jsonb);
  v_job_id := v_payload->>'jobId';
  IF v_job_id IS NULL OR v_job_id = '' THEN
    v_job_id := next_job_id(p_queue);
  END IF;

  v_de       := COALESCE(v_opts->'deduplication', v_opts->'debounce');
  v_delay    := COALESCE((v_opts->>'delay')::bigint, 0);
  v_priority := COALESCE((v_opts->>'priority')::integer, 0);
  v_lifo     := COALESCE((v_opts->>'lifo')::boolean, false);
  v_keeplast := COALESCE((v_de->>'keepLastIfActive')::boolean, false);
  v_ttl      := NULLIF(v_de->>'ttl', '')::bigint;

  v_seq := nextval('job_seq');
  IF v_lifo THEN
    v_seq := -v_seq;
  END IF;
  IF v_delay > 0 THEN
    v_state := 'delayed';
    v_process_at := p_now + v_delay;
  ELSE
    v_state := 'waiting';
    v_process_at := NULL;
  END IF;

  INSERT INTO job (
    queue, id, seq, name, state, data, opts, priority, delay_ms,
    max_attempts, added_at_ms, process_at_ms, dedup_id
  ) VALUES (
    p_queue, v_job_id, v_seq, v_name, v_state, v_data, v_opts, v_priority,
    v_delay, COALESCE((v_opts->>'attempts')::integer, 1), p_now, v_process_at,
    p_dedup_id
  )
  ON CONFLICT (queue, id) DO NOTHING;

  -- New winner key (no expiry while keepLastIfActive, else honour ttl).
  INSERT INTO dedup (queue, dedup_id, job_id, expire_at_ms)
    VALUES (p_queue, p_dedup_id, v_job_id,
      CASE WHEN v_keeplast OR COALESCE(v_ttl, 0) <= 0
           THEN NULL ELSE p_now + v_ttl END)
  ON CONFLICT (queue, dedup_id) DO UPDATE
    SET job_id = EXCLUDED.job_id, expire_at_ms = EXCLUDED.expire_at_ms;

  DELETE FROM dedup_next WHERE queue = p_queue AND dedup_id = p_dedup_id;

  PERFORM pg_notify('bullmq_jobs', p_queue);
  IF v_state = 'delayed' THEN
    PERFORM publish_event(p_queue, 'delayed',
      jsonb_build_object('jobId', v_job_id, 'delay', v_process_at));
  ELSE
    PERFORM publish_event(p_queue, 'waiting',
      jsonb_build_object('jobId', v_job_id));
  END IF;
END;
$$;


--
-- Name: retry_job(text, text, text, boolean, text, jsonb); Type: FUNCTION; Schema: bullmq; Owner: -
--

CREATE FUNCTION bullmq.retry_job(p_queue text, p_id text, p_token text, p_lifo boolean, p_failed_reason text, p_stacktrace jsonb) RETURNS integer
    LANGUAGE plpgsql
    SET search_path TO 'bullmq'
    AS $$
DECLARE
  v_state job_state;
  v_lock  text;
  v_seq   bigint;
BEGIN
  SELECT state, lock_token INTO v_state, v_lock
    FROM job WHERE queue = p_queue AND id = p_id FOR UPDATE;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'bullmq: missing job %', p_id USING ERRCODE = 'BM001', DETAIL = '-1';
  END IF;
  IF v_state <> 'active' THEN
    RAISE EXCEPTION 'bullmq: job % not active', p_id USING ERRCODE = 'BM001', DETAIL = '-3';
  END IF;
  IF p_token <> '0' AND v_lock IS DISTINCT FROM p_token THEN
    RAISE EXCEPTION 'bullmq: job % lock mismatch', p_id USING ERRCODE = 'BM001', DETAIL = '-6';
  END IF;

  v_seq := nextval('job_seq');
  IF p_lifo THEN
    v_seq := -v_seq;
  END IF;

  UPDATE job
     SET state = 'waiting',
         seq = v_seq,
         process_at_ms = NULL,
         failed_reason = COALESCE(p_failed_reason, failed_reason),
         stacktrace = COALESCE(p_stacktrace, stacktrace),
         lock_token = NULL,
         locked_until_ms = NULL,
         attempts_made = attempts_made + 1
   WHERE queue = p_queue AND id = p_id;

  PERFORM pg_notify('bullmq_jobs', p_queue);
  PERFORM publish_event(p_queue, 'waiting',
    jsonb_build_object('jobId', p_id, 'prev', 'active'));
  RETURN 1;
END;
$$;


--
-- Name: retry_jobs(text, text, integer, bigint); Type: FUNCTION; Schema: bullmq; Owner: -
--

CREATE FUNCTION bullmq.retry_jobs(p_queue text, p_state text, p_count integer, p_timestamp bigint) RETURNS integer
    LANGUAGE plpgsql
    SET search_path TO 'bullmq'
    AS $$
DECLARE
  v_moved integer;
BEGIN
  WITH batch AS (
    SELECT id FROM job
     WHERE queue = p_queue
       AND state = p_state::job_state
       AND (p_timestamp IS NULL OR finished_at_ms <= p_timestamp)
     ORDER BY finished_at_ms
     LIMIT p_count
  )
  UPDATE job j
     SET state = 'waiting',
         seq = nextval('job_seq'),
         finished_at_ms = NULL,
         processed_at_ms = NULL,
         return_value = NULL,
         failed_reason = NULL,
         stacktrace = NULL,
         attempts_made = 0,
         attempts_started = 0,
         lock_token = NULL,
         locked_until_ms = NULL
    FROM batch
   WHERE j.queue = p_queue AND j.id = batch.id;

  GET DIAGNOSTICS v_moved = ROW_COUNT;
  IF v_moved > 0 THEN
    PERFORM pg_notify('bullmq_jobs', p_queue);
  END IF;
  RETURN v_moved;
END;
$$;


--
-- Name: scheduler_every_next_millis(bigint, bigint, bigint, bigint, bigint); Type: FUNCTION; Schema: bullmq; Owner: -
--

CREATE FUNCTION bullmq.scheduler_every_next_millis(p_prev bigint, p_every bigint, p_now bigint, p_offset bigint, p_start bigint) RETURNS bigint[]
    LANGUAGE plpgsql IMMUTABLE
    AS $$
DECLARE
  v_next   bigint;
  v_offset bigint := p_offset;
BEGIN
  IF p_prev IS NULL THEN
    IF p_start IS NOT NULL THEN
      v_next := GREATEST(p_start, p_now);
    ELSE
      v_next := p_now;
      IF p_offset IS NOT NULL AND p_offset > 0 THEN
        v_next := (p_now / p_every) * p_every + p_offset;
        IF v_next <= p_now THEN
          v_next := v_next + p_every;
        END IF;
      END IF;
    END IF;
  ELSE
    v_next := p_prev + p_every;
    IF v_next < p_now THEN
      v_next := (p_now / p_every) * p_every + p_every + COALESCE(p_offset, 0);
    END IF;
  END IF;

  IF v_offset IS NULL OR v_offset = 0 THEN
    v_offset := v_next - (v_next / p_every) * p_every;
  END IF;

  RETURN ARRAY[v_next, v_offset];
END;
$$;


--
-- Name: set_rate_limit(text, bigint, bigint); Type: FUNCTION; Schema: bullmq; Owner: -
--

CREATE FUNCTION bullmq.set_rate_limit(p_queue text, p_expire_ms bigint, p_now bigint) RETURNS void
    LANGUAGE sql
    SET search_path TO 'bullmq'
    AS $$
  INSERT INTO rate_limit (queue, points, expire_at_ms)
    VALUES (p_queue, 9007199254740991, p_now + p_expire_ms)
  ON CONFLICT (queue) DO UPDATE SET
    points = 9007199254740991,
    expire_at_ms = p_now + p_expire_ms;
$$;


--
-- Name: update_job_scheduler_next_millis(text, text, bigint, jsonb, jsonb, bigint, text); Type: FUNCTION; Schema: bullmq; Owner: -
--

CREATE FUNCTION bullmq.update_job_scheduler_next_millis(p_queue text, p_scheduler_id text, p_next_millis bigint, p_template_data jsonb, p_delayed_opts jsonb, p_now bigint, p_producer_id text) RETURNS text
    LANGUAGE plpgsql
    SET search_path TO 'bullmq'
    AS $$
DECLARE
  v_name   text;
  v_prev   bigint;
  v_every  bigint;
  v_start  bigint;
  v_offset bigint;
  v_data   jsonb;
  v_next   bigint := p_next_millis;
  v_new_offset bigint;
  v_em     bigint[];
  v_jobid  text;
  v_current text;
  v_delay  bigint;
  v_state  job_state;
  v_seq    bigint;
BEGIN
  SELECT name, next_run_ms, every_ms, start_date_ms, offset_ms, template_data
    INTO v_name, v_prev, v_every, v_start, v_offset, v_data
    FROM scheduler WHERE queue = p_queue AND scheduler_id = p_scheduler_id;
  IF NOT FOUND THEN
    RETURN NULL;
  END IF;

  IF v_every IS NULL THEN
    v_every := (p_delayed_opts #>> '{repeat,every}')::bigint;
  END IF;

  IF v_every IS NOT NULL THEN
    v_offset := COALESCE(v_offset, (p_delayed_opts #>> '{repeat,offset}')::bigint, 0);
    v_em := scheduler_every_next_millis(v_prev, v_every, p_now, v_offset, v_start);
    v_next := v_em[1];
    v_new_offset := v_em[2];
  END IF;

  -- Only the producer of the current iteration may advance the scheduler;
  -- this guards against duplicate iterations from stale/concurrent finishes.
  v_current := 'repeat:' || p_scheduler_id || ':' || v_prev;
  IF p_producer_id IS DISTINCT FROM v_current THEN
    RETURN NULL;
  END IF;

  v_jobid := 'repeat:' || p_scheduler_id || ':' || v_next;

  -- If the next iteration's job already exists, this is a duplicate.
  IF EXISTS (SELECT 1 FROM job WHERE queue = p_queue AND id = v_jobid) THEN
    PERFORM publish_event(p_queue, 'duplicated',
      jsonb_build_object('jobId', v_jobid));
    RETURN NULL;
  END IF;

  v_delay := GREATEST(v_next - p_now, 0);

  UPDATE scheduler
     SET next_run_ms = v_next,
         iteration_count = iteration_count + 1,
         offset_ms = COALESCE(offset_ms, v_new_offset),
         template_data = CASE
           WHEN p_template_data IS NOT NULL AND p_template_data <> '{}'::jsonb
             THEN p_template_data
           ELSE template_data
         END
   WHERE queue = p_queue AND scheduler_id = p_scheduler_id;

  v_seq := nextval('job_seq');
  v_state := CASE WHEN v_delay > 0 THEN 'delayed' ELSE 'waiting' END;

  INSERT INTO job (
    queue, id, seq, name, state, data, opts, priority, delay_ms, max_attempts,
    added_at_ms, process_at_ms, scheduler_id
  ) VALUES (
    p_queue, v_jobid, v_seq, v_name, v_state,
    COALESCE(NULLIF(v_data, '{}'::jsonb), p_template_data, '{}'::jsonb),
    COALESCE(p_delayed_opts, '{}'::jsonb)
      || jsonb_build_object('delay', v_delay, 'jobId', v_jobid),
    COALESCE((p_delayed_opts ->> 'priority')::integer, 0), v_delay,
    COALESCE((p_delayed_opts ->> 'attempts')::integer, 1),
    COALESCE((p_delayed_opts ->> 'timestamp')::bigint, p_now),
    CASE WHEN v_delay > 0 THEN v_next ELSE NULL END, p_scheduler_id
  )
  ON CONFLICT (queue, id) DO NOTHING;

  PERFORM pg_notify('bullmq_jobs', p_queue);

  RETURN v_jobid;
END;
$$;


--
-- Name: update_progress(text, text, jsonb); Type: FUNCTION; Schema: bullmq; Owner: -
--

CREATE FUNCTION bullmq.update_progress(p_queue text, p_id text, p_progress jsonb) RETURNS integer
    LANGUAGE plpgsql
    SET search_path TO 'bullmq'
    AS $$
DECLARE
  v_updated integer;
BEGIN
  UPDATE job SET progress = p_progress
   WHERE queue = p_queue AND id = p_id;
  GET DIAGNOSTICS v_updated = ROW_COUNT;

  IF v_updated > 0 THEN
    PERFORM publish_event(p_queue, 'progress',
      jsonb_build_object('jobId', p_id, 'data', p_progress::text));
  END IF;

  RETURN v_updated;
END;
$$;


--
-- Name: analyze_grown_tables(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.analyze_grown_tables() RETURNS text[]
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    SET lock_timeout TO '200ms'
    AS $$
  declare
    grown name;
    analyzed text[] := '{}';
  begin
    if not pg_try_advisory_xact_lock(hashtext('willcall analyze grown tables')) then return analyzed; end if;
    for grown in
      select table_class.relname from pg_stat_user_tables changes join pg_class table_class on table_class.oid = changes.relid
      where changes.schemaname = 'public' and table_class.relkind = 'r' and table_class.reltuples < 1000000
        and changes.n_mod_since_analyze > greatest(100, table_class.reltuples)
    loop
      begin
        execute format('analyze %I', grown);
        analyzed := analyzed || grown::text;
      exception when lock_not_available then null;
      end;
    end loop;
    return analyzed;
  end $$;


--
-- Name: current_epoch(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.current_epoch() RETURNS text
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
  declare
    known database_epoch;
    actual text;
  begin
    if pg_is_in_recovery() then
      raise exception 'the database is in recovery' using errcode = 'cannot_connect_now';
    end if;
    actual := database_identity();
    select * into known from database_epoch;
    if known.identity is not distinct from actual then return known.epoch; end if;
    perform set_config('synchronous_commit', 'on', true);
    insert into database_epoch (epoch, identity) values (left(replace(gen_random_uuid()::text, '-', ''), 12), actual)
    on conflict (only_row) do update set epoch = excluded.epoch, identity = excluded.identity, since = excluded.since
      where database_epoch.identity <> excluded.identity;
    return (select epoch from database_epoch);
  end $$;


--
-- Name: database_identity(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.database_identity() RETURNS text
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  declare
    cluster text := '?';
    timeline text := '?';
  begin
    begin
      select system_identifier::text into cluster from pg_control_system();
    exception when insufficient_privilege or undefined_function or feature_not_supported then null;
    end;
    begin
      timeline := left(pg_walfile_name(pg_current_wal_lsn()), 8);
    exception when insufficient_privilege or undefined_function or feature_not_supported then null;
    end;
    return cluster || '/' || timeline || '/' || (select oid from pg_database where datname = current_database());
  end $$;


--
-- Name: discovery_note_changed_events(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.discovery_note_changed_events() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
  begin
    insert into discovery_changes (kind, id, changed_in)
      select distinct 'events', id, pg_current_xact_id() from changed_rows order by 2
      on conflict (kind, id) do update set changed_in = excluded.changed_in
        where discovery_changes.changed_in <> excluded.changed_in;
    return null;
  end $$;


--
-- Name: discovery_note_changed_genres(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.discovery_note_changed_genres() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
  begin
    insert into discovery_changes (kind, id, changed_in)
      select distinct 'genres', id, pg_current_xact_id() from changed_rows order by 2
      on conflict (kind, id) do update set changed_in = excluded.changed_in
        where discovery_changes.changed_in <> excluded.changed_in;
    return null;
  end $$;


--
-- Name: discovery_note_changed_listing(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.discovery_note_changed_listing() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
  begin
    insert into discovery_changed_stock (event_id) values (new.event_id);
    if tg_op = 'UPDATE' and old.event_id <> new.event_id then
      insert into discovery_changed_stock (event_id) values (old.event_id);
    end if;
    return null;
  end $$;


--
-- Name: discovery_note_changed_performers(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.discovery_note_changed_performers() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
  begin
    insert into discovery_changes (kind, id, changed_in)
      select distinct 'performers', id, pg_current_xact_id() from changed_rows order by 2
      on conflict (kind, id) do update set changed_in = excluded.changed_in
        where discovery_changes.changed_in <> excluded.changed_in;
    return null;
  end $$;


--
-- Name: discovery_note_changed_postal_codes(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.discovery_note_changed_postal_codes() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
  begin
    insert into discovery_changes (kind, id, changed_in)
      select distinct 'postal_codes', 0, pg_current_xact_id() from changed_rows order by 2
      on conflict (kind, id) do update set changed_in = excluded.changed_in
        where discovery_changes.changed_in <> excluded.changed_in;
    return null;
  end $$;


--
-- Name: discovery_note_changed_taxonomies(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.discovery_note_changed_taxonomies() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
  begin
    insert into discovery_changes (kind, id, changed_in)
      select distinct 'taxonomies', id, pg_current_xact_id() from changed_rows order by 2
      on conflict (kind, id) do update set changed_in = excluded.changed_in
        where discovery_changes.changed_in <> excluded.changed_in;
    return null;
  end $$;


--
-- Name: discovery_note_changed_venues(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.discovery_note_changed_venues() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
  begin
    insert into discovery_changes (kind, id, changed_in)
      select distinct 'venues', id, pg_current_xact_id() from changed_rows order by 2
      on conflict (kind, id) do update set changed_in = excluded.changed_in
        where discovery_changes.changed_in <> excluded.changed_in;
    return null;
  end $$;


--
-- Name: discovery_note_truncation(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.discovery_note_truncation() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
  begin
    insert into discovery_changes values ('everything', 0, pg_current_xact_id())
      on conflict (kind, id) do update set changed_in = excluded.changed_in;
    return null;
  end $$;


--
-- Name: expect_rows(text, bigint, bigint); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.expect_rows(part text, affected bigint, wanted bigint) RETURNS void
    LANGUAGE plpgsql
    AS $$
  begin
    if affected <> wanted then
      raise exception using errcode = 'WC001', message = 'expected rows were not there', detail = part;
    end if;
  end $$;


--
-- Name: refuse_change(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.refuse_change() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
  begin
    raise exception '% is append only', tg_table_name using errcode = 'WC002';
  end $$;


--
-- Name: renew_epoch(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.renew_epoch() RETURNS text
    LANGUAGE plpgsql
    SET search_path TO 'public', 'pg_temp'
    AS $$
  declare
    renewed text := left(replace(gen_random_uuid()::text, '-', ''), 12);
  begin
    perform set_config('synchronous_commit', 'on', true);
    insert into database_epoch (epoch, identity) values (renewed, database_identity())
    on conflict (only_row) do update set epoch = excluded.epoch, identity = excluded.identity, since = now();
    return renewed;
  end $$;


--
-- Name: bullmq_jid_76a03c1b958010fd028041b7bda34db3; Type: SEQUENCE; Schema: bullmq; Owner: -
--

CREATE SEQUENCE bullmq.bullmq_jid_76a03c1b958010fd028041b7bda34db3
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: bullmq_jid_c10f40999b74c408263f790b30e70efe; Type: SEQUENCE; Schema: bullmq; Owner: -
--

CREATE SEQUENCE bullmq.bullmq_jid_c10f40999b74c408263f790b30e70efe
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: dedup; Type: TABLE; Schema: bullmq; Owner: -
--

CREATE TABLE bullmq.dedup (
    queue text NOT NULL,
    dedup_id text NOT NULL,
    job_id text NOT NULL,
    expire_at_ms bigint
);


--
-- Name: dedup_next; Type: TABLE; Schema: bullmq; Owner: -
--

CREATE TABLE bullmq.dedup_next (
    queue text NOT NULL,
    dedup_id text NOT NULL,
    payload jsonb NOT NULL
);


--
-- Name: event_seq; Type: SEQUENCE; Schema: bullmq; Owner: -
--

CREATE SEQUENCE bullmq.event_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: event; Type: TABLE; Schema: bullmq; Owner: -
--

CREATE TABLE bullmq.event (
    queue text NOT NULL,
    id bigint DEFAULT nextval('bullmq.event_seq'::regclass) NOT NULL,
    event text NOT NULL,
    data jsonb DEFAULT '{}'::jsonb NOT NULL,
    created_at_ms bigint NOT NULL
);


--
-- Name: job_dependency; Type: TABLE; Schema: bullmq; Owner: -
--

CREATE TABLE bullmq.job_dependency (
    parent_queue text NOT NULL,
    parent_id text NOT NULL,
    child_queue text NOT NULL,
    child_id text NOT NULL,
    child_key text NOT NULL,
    status bullmq.dep_status DEFAULT 'pending'::bullmq.dep_status NOT NULL,
    value jsonb
);


--
-- Name: job_log; Type: TABLE; Schema: bullmq; Owner: -
--

CREATE TABLE bullmq.job_log (
    queue text NOT NULL,
    job_id text NOT NULL,
    idx bigint NOT NULL,
    "row" text NOT NULL
);


--
-- Name: job_seq; Type: SEQUENCE; Schema: bullmq; Owner: -
--

CREATE SEQUENCE bullmq.job_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: meta; Type: TABLE; Schema: bullmq; Owner: -
--

CREATE TABLE bullmq.meta (
    queue text NOT NULL,
    field text NOT NULL,
    value text
);


--
-- Name: metrics; Type: TABLE; Schema: bullmq; Owner: -
--

CREATE TABLE bullmq.metrics (
    queue text NOT NULL,
    kind text NOT NULL,
    count bigint DEFAULT 0 NOT NULL,
    prev_ts bigint,
    prev_count bigint DEFAULT 0 NOT NULL,
    data bigint[] DEFAULT '{}'::bigint[] NOT NULL
);


--
-- Name: migration; Type: TABLE; Schema: bullmq; Owner: -
--

CREATE TABLE bullmq.migration (
    version integer NOT NULL,
    name text NOT NULL,
    min_client_version integer NOT NULL,
    applied_at timestamp with time zone DEFAULT now() NOT NULL
);


--
-- Name: rate_limit; Type: TABLE; Schema: bullmq; Owner: -
--

CREATE TABLE bullmq.rate_limit (
    queue text NOT NULL,
    points bigint DEFAULT 0 NOT NULL,
    expire_at_ms bigint NOT NULL
);


--
-- Name: relay_inbox_id_seq; Type: SEQUENCE; Schema: bullmq; Owner: -
--

CREATE SEQUENCE bullmq.relay_inbox_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: relay_inbox_id_seq; Type: SEQUENCE OWNED BY; Schema: bullmq; Owner: -
--

ALTER SEQUENCE bullmq.relay_inbox_id_seq OWNED BY bullmq.relay_inbox.id;


--
-- Name: relay_mid_seq; Type: SEQUENCE; Schema: bullmq; Owner: -
--

CREATE SEQUENCE bullmq.relay_mid_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: relay_node; Type: TABLE; Schema: bullmq; Owner: -
--

CREATE TABLE bullmq.relay_node (
    ns text NOT NULL,
    node_id text NOT NULL,
    lease_until timestamp with time zone NOT NULL,
    registered_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    last_heartbeat timestamp with time zone,
    info jsonb DEFAULT '{}'::jsonb NOT NULL,
    backlog integer DEFAULT 0 NOT NULL,
    dropped bigint DEFAULT 0 NOT NULL,
    in_flight bigint[] DEFAULT '{}'::bigint[] NOT NULL
);


--
-- Name: relay_retained; Type: TABLE; Schema: bullmq; Owner: -
--

CREATE TABLE bullmq.relay_retained (
    ns text NOT NULL,
    topic text NOT NULL,
    mid bigint NOT NULL,
    ts bigint NOT NULL,
    data text NOT NULL,
    expires_at timestamp with time zone NOT NULL
);


--
-- Name: relay_subscription; Type: TABLE; Schema: bullmq; Owner: -
--

CREATE TABLE bullmq.relay_subscription (
    ns text NOT NULL,
    node_id text NOT NULL,
    endpoint_id text NOT NULL,
    pattern text NOT NULL,
    root text
);


--
-- Name: scheduler; Type: TABLE; Schema: bullmq; Owner: -
--

CREATE TABLE bullmq.scheduler (
    queue text NOT NULL,
    scheduler_id text NOT NULL,
    name text,
    next_run_ms bigint,
    pattern text,
    every_ms bigint,
    tz text,
    start_date_ms bigint,
    end_date_ms bigint,
    limit_count integer,
    iteration_count integer DEFAULT 0 NOT NULL,
    template_data jsonb,
    template_opts jsonb,
    producer_id text,
    offset_ms bigint
);


--
-- Name: client_secrets; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.client_secrets (
    id text NOT NULL,
    client_id text NOT NULL,
    secret bytea NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    revoked_at timestamp(3) with time zone
);


--
-- Name: clients; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.clients (
    client_id text NOT NULL,
    name text NOT NULL,
    variant text NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    revoked_at timestamp(3) with time zone,
    CONSTRAINT clients_variant_check CHECK ((variant = ANY (ARRAY['payment'::text, 'wholesale'::text])))
);


--
-- Name: database_epoch; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.database_epoch (
    only_row boolean DEFAULT true NOT NULL,
    epoch text NOT NULL,
    identity text NOT NULL,
    since timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT database_epoch_only_row_check CHECK (only_row)
);


--
-- Name: discovery_changed_stock; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.discovery_changed_stock (
    id bigint NOT NULL,
    event_id text NOT NULL
);


--
-- Name: discovery_changed_stock_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

ALTER TABLE public.discovery_changed_stock ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.discovery_changed_stock_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);


--
-- Name: discovery_changes; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.discovery_changes (
    kind text NOT NULL,
    id integer NOT NULL,
    changed_in xid8 NOT NULL
);


--
-- Name: discovery_events; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.discovery_events (
    id integer NOT NULL,
    title text NOT NULL,
    short_title text NOT NULL,
    type text NOT NULL,
    datetime_utc timestamp without time zone NOT NULL,
    datetime_local timestamp without time zone NOT NULL,
    announce_date timestamp without time zone,
    visible_until timestamp without time zone,
    performer_ids integer[] NOT NULL,
    primary_performer_ids integer[] NOT NULL,
    home_team_ids integer[] NOT NULL,
    away_team_ids integer[] NOT NULL,
    own_taxonomy_ids integer[] NOT NULL,
    taxonomy_ids integer[] NOT NULL,
    taxonomy_names text[] NOT NULL,
    taxonomy_parent_ids integer[] NOT NULL,
    venue_id integer NOT NULL,
    venue_slug text NOT NULL,
    city text,
    state text,
    country text,
    postal_code text,
    lat double precision,
    lon double precision,
    listing_count integer,
    average_price double precision,
    lowest_price double precision,
    highest_price double precision,
    stats_from_stock boolean DEFAULT false NOT NULL,
    score double precision NOT NULL,
    imported_score double precision NOT NULL,
    own json NOT NULL,
    document json NOT NULL
)
WITH (toast_tuple_target='1024');
ALTER TABLE ONLY public.discovery_events ALTER COLUMN document SET STORAGE EXTERNAL;


--
-- Name: discovery_genres; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.discovery_genres (
    id integer NOT NULL,
    name text NOT NULL,
    slug text NOT NULL,
    image text,
    images json,
    document json NOT NULL
);


--
-- Name: discovery_key_usage; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.discovery_key_usage (
    client_id text NOT NULL,
    day date NOT NULL,
    requests bigint NOT NULL,
    throttled bigint NOT NULL
);


--
-- Name: discovery_keys; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.discovery_keys (
    client_id text NOT NULL,
    name text NOT NULL,
    secret_digest bytea,
    rate_per_second integer,
    created_at timestamp(3) with time zone NOT NULL,
    revoked_at timestamp(3) with time zone,
    CONSTRAINT discovery_keys_rate_per_second_check CHECK ((rate_per_second > 0))
);


--
-- Name: discovery_performer_affinity; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.discovery_performer_affinity (
    performer_id integer NOT NULL,
    other_id integer NOT NULL,
    buyers integer NOT NULL,
    weight double precision NOT NULL
);


--
-- Name: discovery_performers; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.discovery_performers (
    id integer NOT NULL,
    name text NOT NULL,
    short_name text NOT NULL,
    slug text NOT NULL,
    type text NOT NULL,
    own_taxonomy_ids integer[] NOT NULL,
    taxonomy_ids integer[] NOT NULL,
    taxonomy_names text[] NOT NULL,
    taxonomy_parent_ids integer[] NOT NULL,
    genre_ids integer[],
    primary_genre_ids integer[] NOT NULL,
    genre_slugs text[] NOT NULL,
    primary_genre_slugs text[] NOT NULL,
    score double precision NOT NULL,
    imported_score double precision NOT NULL,
    has_upcoming_events boolean NOT NULL,
    imported_has_upcoming_events boolean NOT NULL,
    seen_upcoming boolean DEFAULT false NOT NULL,
    name_text text NOT NULL,
    kind_text text NOT NULL,
    division_text text NOT NULL,
    own json NOT NULL,
    document json NOT NULL
);


--
-- Name: discovery_postal_codes; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.discovery_postal_codes (
    country text NOT NULL,
    code text NOT NULL,
    city text,
    state text,
    lat double precision NOT NULL,
    lon double precision NOT NULL,
    imported boolean NOT NULL
);


--
-- Name: discovery_taxonomies; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.discovery_taxonomies (
    id integer NOT NULL,
    name text NOT NULL,
    slug text NOT NULL,
    parent_id integer,
    rank integer DEFAULT 0 NOT NULL,
    line_ids integer[] DEFAULT '{}'::integer[] NOT NULL,
    line_names text[] DEFAULT '{}'::text[] NOT NULL,
    document json NOT NULL
);


--
-- Name: discovery_venues; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.discovery_venues (
    id integer NOT NULL,
    name text NOT NULL,
    slug text NOT NULL,
    city text,
    state text,
    country text,
    postal_code text,
    lat double precision,
    lon double precision,
    score double precision NOT NULL,
    imported_score double precision NOT NULL,
    name_text text NOT NULL,
    place_text text NOT NULL,
    own json NOT NULL,
    document json NOT NULL
);


--
-- Name: encryption_key; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.encryption_key (
    only_row boolean DEFAULT true NOT NULL,
    fingerprint text NOT NULL,
    recorded_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    CONSTRAINT encryption_key_only_row_check CHECK (only_row)
);


--
-- Name: events; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.events (
    stream text NOT NULL,
    "position" integer NOT NULL,
    event_id text NOT NULL,
    type text NOT NULL,
    data json NOT NULL,
    metadata json NOT NULL,
    recorded_at timestamp(3) with time zone NOT NULL,
    hash bytea NOT NULL,
    CONSTRAINT events_position_check CHECK (("position" > 0))
);


--
-- Name: feed; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.feed (
    "position" bigint NOT NULL,
    stream text NOT NULL,
    stream_position integer NOT NULL
);


--
-- Name: listings; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.listings (
    id text NOT NULL,
    version integer DEFAULT 1 NOT NULL,
    terms json NOT NULL,
    event_id text GENERATED ALWAYS AS ((terms ->> 'eventId'::text)) STORED NOT NULL,
    split_rule text GENERATED ALWAYS AS ((terms ->> 'splitRule'::text)) STORED NOT NULL,
    offered integer NOT NULL,
    available integer NOT NULL,
    withdrawn_at timestamp(3) with time zone,
    created_at timestamp(3) with time zone NOT NULL,
    updated_at timestamp(3) with time zone NOT NULL,
    CONSTRAINT listings_check CHECK (((available >= 0) AND (available <= offered)))
)
WITH (fillfactor='80');


--
-- Name: migrations; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.migrations (
    id integer NOT NULL,
    "timestamp" bigint NOT NULL,
    name character varying NOT NULL
);


--
-- Name: migrations_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

CREATE SEQUENCE public.migrations_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: migrations_id_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: -
--

ALTER SEQUENCE public.migrations_id_seq OWNED BY public.migrations.id;


--
-- Name: operational_notices; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.operational_notices (
    id bigint NOT NULL,
    kind text NOT NULL,
    subject text NOT NULL,
    message text NOT NULL,
    created_at timestamp(3) with time zone NOT NULL
);


--
-- Name: operational_notices_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

ALTER TABLE public.operational_notices ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.operational_notices_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);


--
-- Name: orders; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.orders (
    id text NOT NULL,
    version integer NOT NULL,
    client_id text NOT NULL,
    variant text NOT NULL,
    stage text NOT NULL,
    status text,
    status_code integer,
    status_message text,
    event_id text NOT NULL,
    listing_id text NOT NULL,
    quantity integer NOT NULL,
    stock_held integer NOT NULL,
    total_cents bigint NOT NULL,
    ref_id text,
    transaction_id text NOT NULL,
    placed_at timestamp(3) with time zone NOT NULL,
    updated_at timestamp(3) with time zone NOT NULL,
    due_for text,
    due_at timestamp(3) with time zone,
    purchase json NOT NULL,
    summary json NOT NULL,
    personal bytea
);


--
-- Name: outbox; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.outbox (
    id bigint NOT NULL,
    stream text NOT NULL,
    stream_position integer NOT NULL,
    recorded_at timestamp(3) with time zone NOT NULL
);


--
-- Name: outbox_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

ALTER TABLE public.outbox ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.outbox_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);


--
-- Name: personal_data_keys; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.personal_data_keys (
    order_id text NOT NULL,
    key bytea NOT NULL,
    email_digest bytea
);


--
-- Name: ping_attempts; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.ping_attempts (
    order_id text NOT NULL,
    sequence integer NOT NULL,
    attempt integer NOT NULL,
    started_at timestamp(3) with time zone NOT NULL,
    duration_ms integer NOT NULL,
    http_status integer,
    error text
);


--
-- Name: ping_endpoints; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.ping_endpoints (
    endpoint text NOT NULL,
    breaker text DEFAULT 'closed'::text NOT NULL,
    failures integer DEFAULT 0 NOT NULL,
    openings integer DEFAULT 0 NOT NULL,
    open_until timestamp(3) with time zone,
    paced_until_ms double precision DEFAULT 0 NOT NULL,
    CONSTRAINT ping_endpoints_breaker_check CHECK ((breaker = ANY (ARRAY['closed'::text, 'open'::text, 'half_open'::text]))),
    CONSTRAINT ping_endpoints_check CHECK (((breaker = 'closed'::text) = (open_until IS NULL)))
);


--
-- Name: ping_leases; Type: TABLE; Schema: public; Owner: -
--

CREATE UNLOGGED TABLE public.ping_leases (
    order_id text NOT NULL,
    fence bigint NOT NULL,
    leased_until timestamp(3) with time zone NOT NULL
);


--
-- Name: ping_stream; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.ping_stream (
    "position" bigint NOT NULL,
    id text NOT NULL,
    order_id text NOT NULL,
    sequence integer NOT NULL,
    ref_id text,
    status text NOT NULL,
    status_code integer NOT NULL,
    status_message text NOT NULL,
    occurred_at timestamp(3) with time zone NOT NULL,
    transaction_id text NOT NULL,
    event_id text NOT NULL,
    listing_id text NOT NULL,
    client_id text NOT NULL
);


--
-- Name: pings; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.pings (
    order_id text NOT NULL,
    sequence integer NOT NULL,
    "position" integer NOT NULL,
    client_id text NOT NULL,
    ref_id text,
    status text NOT NULL,
    status_code integer NOT NULL,
    status_message text NOT NULL,
    occurred_at timestamp(3) with time zone NOT NULL,
    transaction_id text NOT NULL,
    state text DEFAULT 'pending'::text NOT NULL,
    due_since timestamp(3) with time zone NOT NULL,
    tries integer DEFAULT 0 NOT NULL,
    attempts integer DEFAULT 0 NOT NULL,
    next_try_at timestamp(3) with time zone,
    delivered_at timestamp(3) with time zone,
    CONSTRAINT pings_check CHECK (((state = 'pending'::text) = (next_try_at IS NOT NULL))),
    CONSTRAINT pings_state_check CHECK ((state = ANY (ARRAY['pending'::text, 'delivered'::text, 'parked'::text])))
);


--
-- Name: platform_reads; Type: TABLE; Schema: public; Owner: -
--

CREATE UNLOGGED TABLE public.platform_reads (
    order_id text NOT NULL,
    version integer NOT NULL,
    read_at timestamp(3) with time zone NOT NULL
)
WITH (fillfactor='70');


--
-- Name: purchase_keys; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.purchase_keys (
    client_id text NOT NULL,
    key text NOT NULL,
    order_id text NOT NULL
);


--
-- Name: replay_items; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.replay_items (
    replay_id text NOT NULL,
    number integer NOT NULL,
    "position" bigint NOT NULL,
    order_id text NOT NULL,
    sequence integer NOT NULL
);


--
-- Name: replays; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.replays (
    id text NOT NULL,
    endpoint text NOT NULL,
    selection json NOT NULL,
    per_second integer NOT NULL,
    state text NOT NULL,
    total integer NOT NULL,
    sent integer DEFAULT 0 NOT NULL,
    released integer DEFAULT 0 NOT NULL,
    next_slot_ms double precision NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    updated_at timestamp(3) with time zone NOT NULL,
    finished_at timestamp(3) with time zone,
    CONSTRAINT replays_per_second_check CHECK ((per_second > 0)),
    CONSTRAINT replays_state_check CHECK ((state = ANY (ARRAY['running'::text, 'paused'::text, 'done'::text, 'cancelled'::text])))
);


--
-- Name: sample_data_load; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.sample_data_load (
    only_row boolean DEFAULT true NOT NULL,
    begun_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    CONSTRAINT sample_data_load_only_row_check CHECK (only_row)
);


--
-- Name: sandbox_payments; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.sandbox_payments (
    order_id text NOT NULL,
    reference text NOT NULL,
    amount_cents bigint NOT NULL,
    state text NOT NULL,
    created_at timestamp(3) with time zone NOT NULL
);


--
-- Name: sandbox_pings; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.sandbox_pings (
    id bigint NOT NULL,
    order_id text NOT NULL,
    ref_id text,
    client_id text,
    transaction_id text,
    signature_valid boolean NOT NULL,
    announcement integer,
    received_at timestamp(3) with time zone NOT NULL,
    reads integer DEFAULT 0 NOT NULL,
    next_read_at timestamp(3) with time zone,
    read_at timestamp(3) with time zone,
    read_error text,
    purchase json,
    shows_announced boolean
);


--
-- Name: sandbox_pings_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

ALTER TABLE public.sandbox_pings ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.sandbox_pings_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);


--
-- Name: status_history; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.status_history (
    order_id text NOT NULL,
    sequence integer NOT NULL,
    "position" integer NOT NULL,
    status text NOT NULL,
    status_code integer NOT NULL,
    status_message text NOT NULL,
    actor text NOT NULL,
    note text,
    recorded_at timestamp(3) with time zone NOT NULL
);


--
-- Name: stream_tokens; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.stream_tokens (
    id text NOT NULL,
    name text NOT NULL,
    digest bytea NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    revoked_at timestamp(3) with time zone,
    last_used_at timestamp(3) with time zone
);


--
-- Name: subscriptions; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.subscriptions (
    name text NOT NULL,
    "position" bigint NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL
);


--
-- Name: webhook_attempts; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.webhook_attempts (
    webhook_id text NOT NULL,
    "position" bigint NOT NULL,
    attempt integer NOT NULL,
    url text NOT NULL,
    started_at timestamp(3) with time zone NOT NULL,
    duration_ms integer NOT NULL,
    http_status integer,
    error text,
    answer text
);


--
-- Name: webhook_deliveries; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.webhook_deliveries (
    webhook_id text NOT NULL,
    "position" bigint NOT NULL,
    order_id text NOT NULL,
    state text DEFAULT 'pending'::text NOT NULL,
    tries integer DEFAULT 0 NOT NULL,
    attempts integer DEFAULT 0 NOT NULL,
    due_since timestamp(3) with time zone,
    next_try_at timestamp(3) with time zone,
    created_at timestamp(3) with time zone NOT NULL,
    delivered_at timestamp(3) with time zone,
    CONSTRAINT webhook_deliveries_check CHECK (((state = 'pending'::text) = (next_try_at IS NOT NULL))),
    CONSTRAINT webhook_deliveries_state_check CHECK ((state = ANY (ARRAY['pending'::text, 'delivered'::text, 'parked'::text])))
);


--
-- Name: webhook_leases; Type: TABLE; Schema: public; Owner: -
--

CREATE UNLOGGED TABLE public.webhook_leases (
    webhook_id text NOT NULL,
    fence bigint NOT NULL,
    leased_until timestamp(3) with time zone NOT NULL,
    rung boolean DEFAULT false NOT NULL
);


--
-- Name: webhook_secrets; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.webhook_secrets (
    id text NOT NULL,
    webhook_id text NOT NULL,
    secret bytea NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    expires_at timestamp(3) with time zone
);


--
-- Name: webhooks; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.webhooks (
    id text NOT NULL,
    url text NOT NULL,
    description text,
    statuses text[],
    event_types text[],
    rate_per_second integer NOT NULL,
    state text DEFAULT 'active'::text NOT NULL,
    disabled_reason text,
    version integer DEFAULT 1 NOT NULL,
    from_position bigint NOT NULL,
    "position" bigint NOT NULL,
    breaker text DEFAULT 'closed'::text NOT NULL,
    failures integer DEFAULT 0 NOT NULL,
    openings integer DEFAULT 0 NOT NULL,
    open_until timestamp(3) with time zone,
    paced_until timestamp(3) with time zone,
    recovering boolean DEFAULT false NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    updated_at timestamp(3) with time zone NOT NULL,
    CONSTRAINT webhooks_breaker_check CHECK ((breaker = ANY (ARRAY['closed'::text, 'open'::text, 'half_open'::text]))),
    CONSTRAINT webhooks_rate_per_second_check CHECK ((rate_per_second > 0)),
    CONSTRAINT webhooks_state_check CHECK ((state = ANY (ARRAY['active'::text, 'paused'::text, 'disabled'::text])))
)
WITH (fillfactor='50');


--
-- Name: relay_inbox id; Type: DEFAULT; Schema: bullmq; Owner: -
--

ALTER TABLE ONLY bullmq.relay_inbox ALTER COLUMN id SET DEFAULT nextval('bullmq.relay_inbox_id_seq'::regclass);


--
-- Name: migrations id; Type: DEFAULT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.migrations ALTER COLUMN id SET DEFAULT nextval('public.migrations_id_seq'::regclass);


--
-- Data for Name: dedup; Type: TABLE DATA; Schema: bullmq; Owner: -
--



--
-- Data for Name: dedup_next; Type: TABLE DATA; Schema: bullmq; Owner: -
--



--
-- Data for Name: event; Type: TABLE DATA; Schema: bullmq; Owner: -
--

INSERT INTO bullmq.event VALUES
	('webhooks', 1, 'added', '{"name": "webhooks", "jobId": "whk_01a202147965731faa4eed33cb9c0f60-at-2"}', 1795331227797),
	('webhooks', 2, 'waiting', '{"jobId": "whk_01a202147965731faa4eed33cb9c0f60-at-2"}', 1795331227797),
	('webhooks', 3, 'active', '{"prev": "waiting", "jobId": "whk_01a202147965731faa4eed33cb9c0f60-at-2"}', 1795331227805),
	('pings', 4, 'added', '{"name": "pings", "jobId": "ord_01a20214802872d3b758879af35fbf58-1795331227690"}', 1795331227808),
	('pings', 5, 'waiting', '{"jobId": "ord_01a20214802872d3b758879af35fbf58-1795331227690"}', 1795331227808),
	('pings', 6, 'active', '{"prev": "waiting", "jobId": "ord_01a20214802872d3b758879af35fbf58-1795331227690"}', 1795331227822),
	('pings', 7, 'completed', '{"prev": "active", "jobId": "ord_01a20214802872d3b758879af35fbf58-1795331227690", "returnvalue": "null"}', 1795331227938),
	('pings', 8, 'drained', '{}', 1795331227949),
	('webhooks', 9, 'completed', '{"prev": "active", "jobId": "whk_01a202147965731faa4eed33cb9c0f60-at-2", "returnvalue": "null"}', 1795331228923),
	('webhooks', 10, 'drained', '{}', 1795331228925),
	('pings', 11, 'added', '{"name": "pings", "jobId": "ord_01a2021485a9760897faa40ea5fc6ac0-1795331229104"}', 1795331229117),
	('pings', 12, 'waiting', '{"jobId": "ord_01a2021485a9760897faa40ea5fc6ac0-1795331229104"}', 1795331229117),
	('pings', 13, 'active', '{"prev": "waiting", "jobId": "ord_01a2021485a9760897faa40ea5fc6ac0-1795331229104"}', 1795331229124),
	('webhooks', 14, 'added', '{"name": "webhooks", "jobId": "whk_01a202147965731faa4eed33cb9c0f60-at-5"}', 1795331229128),
	('webhooks', 15, 'waiting', '{"jobId": "whk_01a202147965731faa4eed33cb9c0f60-at-5"}', 1795331229128),
	('webhooks', 16, 'active', '{"prev": "waiting", "jobId": "whk_01a202147965731faa4eed33cb9c0f60-at-5"}', 1795331229132),
	('pings', 17, 'completed', '{"prev": "active", "jobId": "ord_01a2021485a9760897faa40ea5fc6ac0-1795331229104", "returnvalue": "null"}', 1795331229149),
	('pings', 18, 'drained', '{}', 1795331229150),
	('webhooks', 19, 'completed', '{"prev": "active", "jobId": "whk_01a202147965731faa4eed33cb9c0f60-at-5", "returnvalue": "null"}', 1795331230167),
	('webhooks', 20, 'drained', '{}', 1795331230169),
	('pings', 21, 'added', '{"name": "pings", "jobId": "ord_01a202148b277498910be30774412eea-1795331230503"}', 1795331230533),
	('pings', 22, 'waiting', '{"jobId": "ord_01a202148b277498910be30774412eea-1795331230503"}', 1795331230534),
	('pings', 23, 'active', '{"prev": "waiting", "jobId": "ord_01a202148b277498910be30774412eea-1795331230503"}', 1795331230538),
	('webhooks', 24, 'added', '{"name": "webhooks", "jobId": "whk_01a202147965731faa4eed33cb9c0f60-at-7"}', 1795331230544),
	('webhooks', 25, 'waiting', '{"jobId": "whk_01a202147965731faa4eed33cb9c0f60-at-7"}', 1795331230544),
	('webhooks', 26, 'active', '{"prev": "waiting", "jobId": "whk_01a202147965731faa4eed33cb9c0f60-at-7"}', 1795331230549),
	('pings', 27, 'completed', '{"prev": "active", "jobId": "ord_01a202148b277498910be30774412eea-1795331230503", "returnvalue": "null"}', 1795331230562),
	('pings', 28, 'drained', '{}', 1795331230564),
	('pings', 29, 'added', '{"name": "pings", "jobId": "ord_01a202148b277498910be30774412eea-1795331230654"}', 1795331230683),
	('pings', 30, 'waiting', '{"jobId": "ord_01a202148b277498910be30774412eea-1795331230654"}', 1795331230684),
	('pings', 31, 'active', '{"prev": "waiting", "jobId": "ord_01a202148b277498910be30774412eea-1795331230654"}', 1795331230699),
	('pings', 32, 'completed', '{"prev": "active", "jobId": "ord_01a202148b277498910be30774412eea-1795331230654", "returnvalue": "null"}', 1795331230740),
	('pings', 33, 'drained', '{}', 1795331230741),
	('webhooks', 34, 'completed', '{"prev": "active", "jobId": "whk_01a202147965731faa4eed33cb9c0f60-at-7", "returnvalue": "null"}', 1795331231728),
	('webhooks', 35, 'drained', '{}', 1795331231729),
	('webhooks', 36, 'added', '{"name": "webhooks", "jobId": "whk_01a202147965731faa4eed33cb9c0f60-at-11"}', 1795331231870),
	('webhooks', 37, 'waiting', '{"jobId": "whk_01a202147965731faa4eed33cb9c0f60-at-11"}', 1795331231870),
	('pings', 38, 'added', '{"name": "pings", "jobId": "ord_01a202149047774980cea55a826e6867-1795331231822"}', 1795331231875),
	('pings', 39, 'waiting', '{"jobId": "ord_01a202149047774980cea55a826e6867-1795331231822"}', 1795331231875),
	('pings', 40, 'active', '{"prev": "waiting", "jobId": "ord_01a202149047774980cea55a826e6867-1795331231822"}', 1795331231885),
	('webhooks', 41, 'active', '{"prev": "waiting", "jobId": "whk_01a202147965731faa4eed33cb9c0f60-at-11"}', 1795331231895),
	('webhooks', 42, 'added', '{"name": "webhooks", "jobId": "whk_01a202147965731faa4eed33cb9c0f60-1795331225957-due-1"}', 1795331231903),
	('webhooks', 43, 'waiting', '{"jobId": "whk_01a202147965731faa4eed33cb9c0f60-1795331225957-due-1"}', 1795331231903),
	('webhooks', 44, 'active', '{"prev": "waiting", "jobId": "whk_01a202147965731faa4eed33cb9c0f60-1795331225957-due-1"}', 1795331231917),
	('pings', 45, 'completed', '{"prev": "active", "jobId": "ord_01a202149047774980cea55a826e6867-1795331231822", "returnvalue": "null"}', 1795331231945),
	('pings', 46, 'drained', '{}', 1795331231946),
	('webhooks', 47, 'completed', '{"prev": "active", "jobId": "whk_01a202147965731faa4eed33cb9c0f60-1795331225957-due-1", "returnvalue": "null"}', 1795331231961),
	('pings', 48, 'added', '{"name": "pings", "jobId": "ord_01a202149047774980cea55a826e6867-1795331231973"}', 1795331232006),
	('pings', 49, 'waiting', '{"jobId": "ord_01a202149047774980cea55a826e6867-1795331231973"}', 1795331232006),
	('pings', 50, 'active', '{"prev": "waiting", "jobId": "ord_01a202149047774980cea55a826e6867-1795331231973"}', 1795331232010),
	('pings', 51, 'completed', '{"prev": "active", "jobId": "ord_01a202149047774980cea55a826e6867-1795331231973", "returnvalue": "null"}', 1795331232025),
	('pings', 52, 'drained', '{}', 1795331232027),
	('webhooks', 53, 'completed', '{"prev": "active", "jobId": "whk_01a202147965731faa4eed33cb9c0f60-at-11", "returnvalue": "null"}', 1795331233011),
	('webhooks', 54, 'drained', '{}', 1795331233012),
	('webhooks', 55, 'added', '{"name": "webhooks", "jobId": "whk_01a202147965731faa4eed33cb9c0f60-at-14"}', 1795331233176),
	('webhooks', 56, 'waiting', '{"jobId": "whk_01a202147965731faa4eed33cb9c0f60-at-14"}', 1795331233176),
	('webhooks', 57, 'active', '{"prev": "waiting", "jobId": "whk_01a202147965731faa4eed33cb9c0f60-at-14"}', 1795331233180),
	('pings', 58, 'added', '{"name": "pings", "jobId": "ord_01a2021495757157837ea8c694f45815-1795331233141"}', 1795331233182),
	('pings', 59, 'waiting', '{"jobId": "ord_01a2021495757157837ea8c694f45815-1795331233141"}', 1795331233182),
	('pings', 60, 'active', '{"prev": "waiting", "jobId": "ord_01a2021495757157837ea8c694f45815-1795331233141"}', 1795331233188),
	('pings', 63, 'completed', '{"prev": "active", "jobId": "ord_01a2021495757157837ea8c694f45815-1795331233141", "returnvalue": "null"}', 1795331233224),
	('pings', 64, 'drained', '{}', 1795331233228),
	('pings', 61, 'added', '{"name": "pings", "jobId": "ord_01a2021495757157837ea8c694f45815-1795331239366"}', 1795331233220),
	('pings', 62, 'delayed', '{"delay": 1795331239366, "jobId": "ord_01a2021495757157837ea8c694f45815-1795331239366"}', 1795331233220),
	('pings', 69, 'added', '{"name": "pings", "jobId": "ord_01a202149aaa7ef2be946c7d944e040e-1795331234482"}', 1795331234524),
	('pings', 70, 'waiting', '{"jobId": "ord_01a202149aaa7ef2be946c7d944e040e-1795331234482"}', 1795331234524),
	('pings', 75, 'added', '{"name": "pings", "jobId": "ord_01a202149aaa7ef2be946c7d944e040e-1795331240648"}', 1795331234589),
	('pings', 76, 'delayed', '{"delay": 1795331240648, "jobId": "ord_01a202149aaa7ef2be946c7d944e040e-1795331240648"}', 1795331234589),
	('pings', 85, 'added', '{"name": "pings", "jobId": "ord_01a2021495757157837ea8c694f45815-1795331251591"}', 1795331239398),
	('pings', 86, 'delayed', '{"delay": 1795331251591, "jobId": "ord_01a2021495757157837ea8c694f45815-1795331251591"}', 1795331239398),
	('pings', 91, 'added', '{"name": "pings", "jobId": "ord_01a202149aaa7ef2be946c7d944e040e-1795331252933"}', 1795331240664),
	('pings', 92, 'delayed', '{"delay": 1795331252933, "jobId": "ord_01a202149aaa7ef2be946c7d944e040e-1795331252933"}', 1795331240664),
	('webhooks', 65, 'added', '{"name": "webhooks", "jobId": "whk_01a202147965731faa4eed33cb9c0f60-1795331239370"}', 1795331234226),
	('webhooks', 66, 'delayed', '{"delay": 1795331239370, "jobId": "whk_01a202147965731faa4eed33cb9c0f60-1795331239370"}', 1795331234229),
	('webhooks', 71, 'added', '{"name": "webhooks", "jobId": "whk_01a202147965731faa4eed33cb9c0f60-at-17"}', 1795331234525),
	('webhooks', 72, 'waiting', '{"jobId": "whk_01a202147965731faa4eed33cb9c0f60-at-17"}', 1795331234525),
	('webhooks', 95, 'added', '{"name": "webhooks", "jobId": "whk_01a202147965731faa4eed33cb9c0f60-1795331249678"}', 1795331240740),
	('webhooks', 96, 'delayed', '{"delay": 1795331249679, "jobId": "whk_01a202147965731faa4eed33cb9c0f60-1795331249678"}', 1795331240740),
	('webhooks', 67, 'completed', '{"prev": "active", "jobId": "whk_01a202147965731faa4eed33cb9c0f60-at-14", "returnvalue": "null"}', 1795331234236),
	('webhooks', 68, 'drained', '{}', 1795331234237),
	('webhooks', 73, 'active', '{"prev": "waiting", "jobId": "whk_01a202147965731faa4eed33cb9c0f60-at-17"}', 1795331234532),
	('pings', 74, 'active', '{"prev": "waiting", "jobId": "ord_01a202149aaa7ef2be946c7d944e040e-1795331234482"}', 1795331234538),
	('pings', 77, 'completed', '{"prev": "active", "jobId": "ord_01a202149aaa7ef2be946c7d944e040e-1795331234482", "returnvalue": "null"}', 1795331234599),
	('pings', 78, 'drained', '{}', 1795331234602),
	('webhooks', 79, 'completed', '{"prev": "active", "jobId": "whk_01a202147965731faa4eed33cb9c0f60-at-17", "returnvalue": "null"}', 1795331235603),
	('webhooks', 80, 'drained', '{}', 1795331235604),
	('pings', 81, 'waiting', '{"prev": "delayed", "jobId": "ord_01a2021495757157837ea8c694f45815-1795331239366"}', 1795331239369),
	('pings', 82, 'active', '{"prev": "waiting", "jobId": "ord_01a2021495757157837ea8c694f45815-1795331239366"}', 1795331239369),
	('webhooks', 83, 'waiting', '{"prev": "delayed", "jobId": "whk_01a202147965731faa4eed33cb9c0f60-1795331239370"}', 1795331239373),
	('webhooks', 84, 'active', '{"prev": "waiting", "jobId": "whk_01a202147965731faa4eed33cb9c0f60-1795331239370"}', 1795331239374),
	('pings', 87, 'completed', '{"prev": "active", "jobId": "ord_01a2021495757157837ea8c694f45815-1795331239366", "returnvalue": "null"}', 1795331239405),
	('pings', 88, 'drained', '{}', 1795331239406),
	('pings', 89, 'waiting', '{"prev": "delayed", "jobId": "ord_01a202149aaa7ef2be946c7d944e040e-1795331240648"}', 1795331240650),
	('pings', 90, 'active', '{"prev": "waiting", "jobId": "ord_01a202149aaa7ef2be946c7d944e040e-1795331240648"}', 1795331240651),
	('pings', 93, 'completed', '{"prev": "active", "jobId": "ord_01a202149aaa7ef2be946c7d944e040e-1795331240648", "returnvalue": "null"}', 1795331240668),
	('pings', 94, 'drained', '{}', 1795331240669),
	('webhooks', 97, 'completed', '{"prev": "active", "jobId": "whk_01a202147965731faa4eed33cb9c0f60-1795331239370", "returnvalue": "null"}', 1795331240745),
	('webhooks', 98, 'drained', '{}', 1795331240746),
	('webhooks', 99, 'waiting', '{"prev": "delayed", "jobId": "whk_01a202147965731faa4eed33cb9c0f60-1795331249678"}', 1795331249683),
	('webhooks', 100, 'active', '{"prev": "waiting", "jobId": "whk_01a202147965731faa4eed33cb9c0f60-1795331249678"}', 1795331249684);
INSERT INTO bullmq.event VALUES
	('webhooks', 101, 'added', '{"name": "webhooks", "jobId": "whk_01a202147965731faa4eed33cb9c0f60-1795331250778"}', 1795331250717),
	('webhooks', 102, 'delayed', '{"delay": 1795331250778, "jobId": "whk_01a202147965731faa4eed33cb9c0f60-1795331250778"}', 1795331250717),
	('webhooks', 103, 'completed', '{"prev": "active", "jobId": "whk_01a202147965731faa4eed33cb9c0f60-1795331249678", "returnvalue": "null"}', 1795331250721),
	('webhooks', 104, 'drained', '{}', 1795331250722),
	('webhooks', 105, 'waiting', '{"prev": "delayed", "jobId": "whk_01a202147965731faa4eed33cb9c0f60-1795331250778"}', 1795331250780),
	('webhooks', 106, 'active', '{"prev": "waiting", "jobId": "whk_01a202147965731faa4eed33cb9c0f60-1795331250778"}', 1795331250781),
	('pings', 107, 'waiting', '{"prev": "delayed", "jobId": "ord_01a2021495757157837ea8c694f45815-1795331251591"}', 1795331251594),
	('pings', 108, 'active', '{"prev": "waiting", "jobId": "ord_01a2021495757157837ea8c694f45815-1795331251591"}', 1795331251594),
	('pings', 109, 'added', '{"name": "pings", "jobId": "ord_01a2021495757157837ea8c694f45815-1795331274230"}', 1795331251623),
	('pings', 110, 'delayed', '{"delay": 1795331274230, "jobId": "ord_01a2021495757157837ea8c694f45815-1795331274230"}', 1795331251623),
	('pings', 111, 'completed', '{"prev": "active", "jobId": "ord_01a2021495757157837ea8c694f45815-1795331251591", "returnvalue": "null"}', 1795331251630),
	('pings', 112, 'drained', '{}', 1795331251635),
	('webhooks', 113, 'added', '{"name": "webhooks", "jobId": "whk_01a202147965731faa4eed33cb9c0f60-1795331270831"}', 1795331251809),
	('webhooks', 114, 'delayed', '{"delay": 1795331270831, "jobId": "whk_01a202147965731faa4eed33cb9c0f60-1795331270831"}', 1795331251809),
	('webhooks', 115, 'completed', '{"prev": "active", "jobId": "whk_01a202147965731faa4eed33cb9c0f60-1795331250778", "returnvalue": "null"}', 1795331251813),
	('webhooks', 116, 'drained', '{}', 1795331251814),
	('pings', 117, 'waiting', '{"prev": "delayed", "jobId": "ord_01a202149aaa7ef2be946c7d944e040e-1795331252933"}', 1795331252951),
	('pings', 118, 'active', '{"prev": "waiting", "jobId": "ord_01a202149aaa7ef2be946c7d944e040e-1795331252933"}', 1795331252953),
	('pings', 119, 'added', '{"name": "pings", "jobId": "ord_01a202149aaa7ef2be946c7d944e040e-1795331275705"}', 1795331252978),
	('pings', 120, 'delayed', '{"delay": 1795331275705, "jobId": "ord_01a202149aaa7ef2be946c7d944e040e-1795331275705"}', 1795331252978),
	('pings', 121, 'completed', '{"prev": "active", "jobId": "ord_01a202149aaa7ef2be946c7d944e040e-1795331252933", "returnvalue": "null"}', 1795331252990),
	('pings', 122, 'drained', '{}', 1795331252997),
	('webhooks', 123, 'waiting', '{"prev": "delayed", "jobId": "whk_01a202147965731faa4eed33cb9c0f60-1795331270831"}', 1795331270835),
	('webhooks', 124, 'active', '{"prev": "waiting", "jobId": "whk_01a202147965731faa4eed33cb9c0f60-1795331270831"}', 1795331270836),
	('webhooks', 125, 'added', '{"name": "webhooks", "jobId": "whk_01a202147965731faa4eed33cb9c0f60-1795331272047"}', 1795331271910),
	('webhooks', 126, 'delayed', '{"delay": 1795331272047, "jobId": "whk_01a202147965731faa4eed33cb9c0f60-1795331272047"}', 1795331271912),
	('webhooks', 127, 'completed', '{"prev": "active", "jobId": "whk_01a202147965731faa4eed33cb9c0f60-1795331270831", "returnvalue": "null"}', 1795331271915),
	('webhooks', 128, 'drained', '{}', 1795331271916),
	('webhooks', 129, 'waiting', '{"prev": "delayed", "jobId": "whk_01a202147965731faa4eed33cb9c0f60-1795331272047"}', 1795331272051),
	('webhooks', 130, 'active', '{"prev": "waiting", "jobId": "whk_01a202147965731faa4eed33cb9c0f60-1795331272047"}', 1795331272052),
	('webhooks', 131, 'added', '{"name": "webhooks", "jobId": "whk_01a202147965731faa4eed33cb9c0f60-1795331314797"}', 1795331273107),
	('webhooks', 132, 'delayed', '{"delay": 1795331314797, "jobId": "whk_01a202147965731faa4eed33cb9c0f60-1795331314797"}', 1795331273107),
	('webhooks', 133, 'completed', '{"prev": "active", "jobId": "whk_01a202147965731faa4eed33cb9c0f60-1795331272047", "returnvalue": "null"}', 1795331273116),
	('webhooks', 134, 'drained', '{}', 1795331273116),
	('pings', 135, 'waiting', '{"prev": "delayed", "jobId": "ord_01a2021495757157837ea8c694f45815-1795331274230"}', 1795331274232),
	('pings', 136, 'active', '{"prev": "waiting", "jobId": "ord_01a2021495757157837ea8c694f45815-1795331274230"}', 1795331274233),
	('pings', 137, 'added', '{"name": "pings", "jobId": "ord_01a2021495757157837ea8c694f45815-1795331318425"}', 1795331274272),
	('pings', 138, 'delayed', '{"delay": 1795331318425, "jobId": "ord_01a2021495757157837ea8c694f45815-1795331318425"}', 1795331274272),
	('pings', 143, 'added', '{"name": "pings", "jobId": "ord_01a202149aaa7ef2be946c7d944e040e-1795331323512"}', 1795331275741),
	('pings', 144, 'delayed', '{"delay": 1795331323513, "jobId": "ord_01a202149aaa7ef2be946c7d944e040e-1795331323512"}', 1795331275741),
	('pings', 139, 'completed', '{"prev": "active", "jobId": "ord_01a2021495757157837ea8c694f45815-1795331274230", "returnvalue": "null"}', 1795331274278),
	('pings', 140, 'drained', '{}', 1795331274279),
	('pings', 141, 'waiting', '{"prev": "delayed", "jobId": "ord_01a202149aaa7ef2be946c7d944e040e-1795331275705"}', 1795331275714),
	('pings', 142, 'active', '{"prev": "waiting", "jobId": "ord_01a202149aaa7ef2be946c7d944e040e-1795331275705"}', 1795331275717),
	('pings', 145, 'completed', '{"prev": "active", "jobId": "ord_01a202149aaa7ef2be946c7d944e040e-1795331275705", "returnvalue": "null"}', 1795331275745),
	('pings', 146, 'drained', '{}', 1795331275745);


--
-- Data for Name: job; Type: TABLE DATA; Schema: bullmq; Owner: -
--

INSERT INTO bullmq.job VALUES
	('webhooks', 'whk_01a202147965731faa4eed33cb9c0f60-1795331314797', 30, 'webhooks', 'delayed', '{"webhookId": "whk_01a202147965731faa4eed33cb9c0f60"}', '{"delay": 41696, "jobId": "whk_01a202147965731faa4eed33cb9c0f60-1795331314797", "attempts": 0, "removeOnFail": true, "removeOnComplete": true}', 0, 41696, 0, 0, 0, NULL, NULL, NULL, NULL, NULL, NULL, 1795331273101, 1795331314797, NULL, NULL, NULL, NULL, 0, NULL, NULL, NULL, NULL, NULL, 0, false),
	('pings', 'ord_01a2021495757157837ea8c694f45815-1795331318425', 31, 'pings', 'delayed', '{"orderId": "ord_01a2021495757157837ea8c694f45815"}', '{"delay": 44177, "jobId": "ord_01a2021495757157837ea8c694f45815-1795331318425", "attempts": 0, "removeOnFail": true, "removeOnComplete": true}', 0, 44177, 0, 0, 0, NULL, NULL, NULL, NULL, NULL, NULL, 1795331274248, 1795331318425, NULL, NULL, NULL, NULL, 0, NULL, NULL, NULL, NULL, NULL, 0, false),
	('pings', 'ord_01a202149aaa7ef2be946c7d944e040e-1795331323512', 32, 'pings', 'delayed', '{"orderId": "ord_01a202149aaa7ef2be946c7d944e040e"}', '{"delay": 47780, "jobId": "ord_01a202149aaa7ef2be946c7d944e040e-1795331323512", "attempts": 0, "removeOnFail": true, "removeOnComplete": true}', 0, 47780, 0, 0, 0, NULL, NULL, NULL, NULL, NULL, NULL, 1795331275733, 1795331323513, NULL, NULL, NULL, NULL, 0, NULL, NULL, NULL, NULL, NULL, 0, false);


--
-- Data for Name: job_dependency; Type: TABLE DATA; Schema: bullmq; Owner: -
--



--
-- Data for Name: job_log; Type: TABLE DATA; Schema: bullmq; Owner: -
--



--
-- Data for Name: meta; Type: TABLE DATA; Schema: bullmq; Owner: -
--

INSERT INTO bullmq.meta VALUES
	('pings', 'opts.maxLenEvents', '10000'),
	('pings', 'version', 'bullmq:6.7.0'),
	('webhooks', 'opts.maxLenEvents', '10000'),
	('webhooks', 'version', 'bullmq:6.7.0'),
	('webhooks', 'stalled-check', '1795331271985'),
	('pings', 'stalled-check', '1795331272005'),
	('deadlines', 'stalled-check', '1795331272026');


--
-- Data for Name: metrics; Type: TABLE DATA; Schema: bullmq; Owner: -
--



--
-- Data for Name: migration; Type: TABLE DATA; Schema: bullmq; Owner: -
--

INSERT INTO bullmq.migration VALUES
	(1, '0001_schema', 6, '2026-11-22 07:07:01.812418+00'),
	(2, '0002_functions', 6, '2026-11-22 07:07:01.812418+00'),
	(3, '0003_dedup_stale_key', 6, '2026-11-22 07:07:01.812418+00'),
	(4, '0004_relay', 6, '2026-11-22 07:07:01.812418+00'),
	(5, '0005_flow_parent_release', 6, '2026-11-22 07:07:01.812418+00'),
	(6, '0006_dedup_reschedule', 6, '2026-11-22 07:07:01.812418+00'),
	(7, '0007_obliterate_dedup_lock_order', 6, '2026-11-22 07:07:01.812418+00'),
	(8, '0008_bulk_dedup_lock_order', 6, '2026-11-22 07:07:01.812418+00'),
	(9, '0009_obliterate_bounded_dedup_locks', 6, '2026-11-22 07:07:01.812418+00'),
	(10, '0010_obliterate_finalization_lock', 6, '2026-11-22 07:07:01.812418+00'),
	(11, '0011_obliterate_producer_lock', 6, '2026-11-22 07:07:01.812418+00');


--
-- Data for Name: rate_limit; Type: TABLE DATA; Schema: bullmq; Owner: -
--



--
-- Data for Name: relay_inbox; Type: TABLE DATA; Schema: bullmq; Owner: -
--



--
-- Data for Name: relay_node; Type: TABLE DATA; Schema: bullmq; Owner: -
--



--
-- Data for Name: relay_retained; Type: TABLE DATA; Schema: bullmq; Owner: -
--



--
-- Data for Name: relay_subscription; Type: TABLE DATA; Schema: bullmq; Owner: -
--



--
-- Data for Name: scheduler; Type: TABLE DATA; Schema: bullmq; Owner: -
--



--
-- Data for Name: client_secrets; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.client_secrets VALUES
	('sec_01a2021468e471529ad537b10cbc7dee', 'pay-1', '\x0166b255a177b0009980db7a5d28ee4fb0c35207b304d2a7a374bf20e5b37959dee8a670ce3b9c90082e184fa732205b5d72fca55fa20be5b0', '2026-11-22 07:07:01.733+00', NULL),
	('sec_01a202146fad7fefa57b93277a622d4d', 'wh-old', '\x01e4df887b5b67fda114a36c8eb02d82e170a361c6254c8feb55435970b8291c0267569e2b24eb8970d09d919b0e18709d68e3156f1ee74104', '2026-11-22 07:07:03.471+00', NULL);


--
-- Data for Name: clients; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.clients VALUES
	('pay-1', 'first client', 'payment', '2026-11-22 07:07:01.733+00', NULL),
	('wh-old', 'Wholesaler', 'wholesale', '2026-11-22 07:07:03.471+00', NULL);


--
-- Data for Name: database_epoch; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.database_epoch VALUES
	(true, 'ac943478c0db', '7710884081445968743/00000001/18185', '2026-11-22 07:07:01.562643+00');


--
-- Data for Name: discovery_changed_stock; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: discovery_changes; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.discovery_changes VALUES
	('postal_codes', 0, '1637');


--
-- Data for Name: discovery_events; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: discovery_genres; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: discovery_key_usage; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: discovery_keys; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: discovery_performer_affinity; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: discovery_performers; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: discovery_taxonomies; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: discovery_venues; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: encryption_key; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.encryption_key VALUES
	(true, '0d34e8c9031850a0', '2026-11-22 07:06:58.108+00');


--
-- Data for Name: events; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.events VALUES
	('order-ord_01a20214802872d3b758879af35fbf58', 1, 'evt_01a20214802a7d90a835e8f94a56fe98', 'PurchaseReceived', '{"client_id":"wh-old","variant":"wholesale","product":{"event_id":"5512","listing_id":"lst-1","quantity":2},"listing_version":1,"total_cents":18002,"delivery_method":"ship","ref_id":"wholesale","duplicate_key":"ref:wholesale","trusted":false,"hold_for_review":false,"confirmation":"automatic","confirm_within_minutes":null,"payment":null,"market_specific_fields":null,"personal":"AUYlX/lPbQ7xHvUqscjgpZFHzRYmeofJ8p9TywTUaIfT5IKM5t6cbUGvc1MkoKq+2WoU0htfZ2RdrjxD6pCPTNsuyxOG5cdJDD6aUvKSFcbfGzSLOIlFSa8luV9DbA=="}', '{"transaction_id":"cli-bec966da64702cac1882b830","actor":"platform:wh-old"}', '2026-11-22 07:07:07.69+00', '\x6eac540618f4135156e6c6cc097e7bb71df300ac27c13f83b61f2e9b5012440f'),
	('order-ord_01a20214802872d3b758879af35fbf58', 2, 'evt_01a20214802b7cec82da68638ab4c48d', 'OrderConfirmed', '{"status":{"status":"confirmed","status_message":"Confirmed","status_code":2000}}', '{"transaction_id":"cli-bec966da64702cac1882b830","actor":"platform:wh-old"}', '2026-11-22 07:07:07.69+00', '\xa67daccf3e0e2ee2c982ebb882211888e206c7ce3c5bae4e8b8d7523a300b759'),
	('order-ord_01a2021485a9760897faa40ea5fc6ac0', 1, 'evt_01a2021485aa7c3c88e50450631c40f3', 'PurchaseReceived', '{"client_id":"pay-1","variant":"payment","product":{"event_id":"5512","listing_id":"lst-1","quantity":2},"listing_version":1,"total_cents":24607,"delivery_method":"ship","ref_id":"paid by card","duplicate_key":"ref:paid by card","trusted":false,"hold_for_review":false,"confirmation":"automatic","confirm_within_minutes":null,"payment":{"type":"creditcard","brand":"visa","last_four":"1111","expiry_month":12,"expiry_year":2028},"market_specific_fields":null,"personal":"AbKRMkMlH655UUkeae+0psOLvkKaRxcAQVI1FGKQWmiZ0nwtpaikofLTV7pmfjaIPFCF5qOwDxesXc275pSDgJ84Rc7oCUfqF+1IWvAXOPSuoIv0BmcAESnZl0XWQ9DUouttULEfZGftjHdM8g1xXAeQY95V6MWvKlv7xNVH1+BZPk79KWTzwJJzrHm6hAX+UTFPThZL0jp0X2e32xf8v+2UP7QtrVlOHWLkFd5hnksSAcqQYJqMFs4Mx/m8MZ/+JInLIaDAJc6+CKTOo/Da5ItwiHBycJHndOGHB74sXfRBvK6n9PTqqlKSRyB7+6vRPrGCyFV7WB/pqy2yITeiafT4mBKoYGXlSIrdPeZrHRl0ov8yB60wVWHl7YnsfZgmCteaLfzFqS//O7nAI/1n/wRZv8IaxlZhhuJXYKrWHBihNB/RrR13RNXjK7CwgqZmlre4K2b/ejYBx5FGLyi9CkUiEr7Vz+E2Kt+CpA=="}', '{"transaction_id":"cli-cf01ac8142d0d66de41e3162","actor":"platform:pay-1"}', '2026-11-22 07:07:09.097+00', '\xf63c0222a77a692e0cb8ed29018e4da5a6ae511810ee4a936c963db25cbc1a7f'),
	('order-ord_01a2021485a9760897faa40ea5fc6ac0', 2, 'evt_01a2021485b0731298664bb623115894', 'PaymentAuthorised', '{"provider":"sandbox","reference":"sandbox_ord_01a2021485a9760897faa40ea5fc6ac0","amount_cents":24607}', '{"transaction_id":"cli-cf01ac8142d0d66de41e3162","actor":"platform:pay-1"}', '2026-11-22 07:07:09.104+00', '\xd58c9a2596b2d58f5ac3f5caca49a12ec27c0fd762f716e51680d326a744ba7e'),
	('order-ord_01a2021485a9760897faa40ea5fc6ac0', 3, 'evt_01a2021485b0731298664bb7283ae0a3', 'OrderConfirmed', '{"status":{"status":"confirmed","status_message":"Confirmed","status_code":2000}}', '{"transaction_id":"cli-cf01ac8142d0d66de41e3162","actor":"platform:pay-1"}', '2026-11-22 07:07:09.104+00', '\x9f195fc1de42f1023e140c43c1506dbc983ae3062366eb25b84dbed313ac685b'),
	('order-ord_01a202148b277498910be30774412eea', 1, 'evt_01a202148b277498910be308d68b3b07', 'PurchaseReceived', '{"client_id":"wh-old","variant":"wholesale","product":{"event_id":"5512","listing_id":"lst-1","quantity":2},"listing_version":1,"total_cents":18002,"delivery_method":"ship","ref_id":"rejected","duplicate_key":"ref:rejected","trusted":false,"hold_for_review":false,"confirmation":"automatic","confirm_within_minutes":null,"payment":null,"market_specific_fields":null,"personal":"Ads5FOriCkrbnasqylNctNflWntVjjePNwmr3GnuEfiq7eivP+T1QCdoO/QZhNUSe3FHhcxVl47aa7gT7indg3ZPZVOUUwHwQU0Lxk23THSTaV0xHR2qdxf3uho7kg=="}', '{"transaction_id":"cli-ae039bc8287bfab8583e0ada","actor":"platform:wh-old"}', '2026-11-22 07:07:10.503+00', '\xfab8103ab850af0084b999f45becd658e11ac2dc8843359b7c1e95a9c2a98695'),
	('order-ord_01a202148b277498910be30774412eea', 2, 'evt_01a202148b287847b7cde9ab3c2970b0', 'OrderConfirmed', '{"status":{"status":"confirmed","status_message":"Confirmed","status_code":2000}}', '{"transaction_id":"cli-ae039bc8287bfab8583e0ada","actor":"platform:wh-old"}', '2026-11-22 07:07:10.503+00', '\x7309b2a56cb9a34cf90bf5b529087cf1f2dc78480a5d19e891bc118b35dbc6b2'),
	('order-ord_01a202148b277498910be30774412eea', 3, 'evt_01a202148bbe7ca18ca89bc11bd5594b', 'OrderRejected', '{"status":{"status":"rejected","status_message":"Fraud - system","status_code":3001}}', '{"transaction_id":"req_01a202148bb878c4afdacecd80facf53","actor":"staff:administrator"}', '2026-11-22 07:07:10.654+00', '\x3bc50788c11d6ea2b8bde7d25fdf029dc33bb62ca38e15475a3890755fed4926'),
	('order-ord_01a202149047774980cea55a826e6867', 1, 'evt_01a2021490487b5c8937e6caeb6dc920', 'PurchaseReceived', '{"client_id":"pay-1","variant":"payment","product":{"event_id":"5512","listing_id":"lst-1","quantity":2},"listing_version":1,"total_cents":24607,"delivery_method":"ship","ref_id":"shipped","duplicate_key":"ref:shipped","trusted":false,"hold_for_review":false,"confirmation":"automatic","confirm_within_minutes":null,"payment":{"type":"creditcard","brand":"visa","last_four":"1111","expiry_month":12,"expiry_year":2028},"market_specific_fields":null,"personal":"AVdEbpftqZMApYb1Lb+Q0RqTq4MIyE3mvnfNIgvDmADtILQmHSbWbrQ5461URS+dweSmTZ9oepVaIWdbGXl98pwmE4n4PAbXTaueE9oeghzOXxoMaxJ4pghXVDhFbALgAMHjbpgO7HxoPB1CSNbGLZCcw4CcsawcjW9PDcaZraqRQiTYHA0msjelT63L89If0Jenv8Usm/sI8o6CUNGOp7BhpXBp0WL/rly111jPNHMRnZHDcyCK3iZq2mrPgpcBTOChqS+1Kz57xhYoKtBao4bnGZtLS2K8IVTt9F1ii1oPmptHTHmf6051bnipB7mjH4RV6zDCGdbKqdv9Ef3RI80aKMIBf5XApBt4Eu621Oh5PycgzmMBw2aFLFixun1I9SqIgrnQ3scBPH/FAKSNP3MPeS05Ei8Dy0yhPvm0FBl4jQ5x/03YOsAhLkVIAQa/LP0nIGlIzgUyb8qSc5w1QDK3zZnlYnM/VPj6ag=="}', '{"transaction_id":"cli-f16e22b77fd0165b30d28489","actor":"platform:pay-1"}', '2026-11-22 07:07:11.816+00', '\x53bfbdc6cc5d4879065eb576a8ff3158fd4de2831222bd73d760f945395d4150'),
	('order-ord_01a202149047774980cea55a826e6867', 2, 'evt_01a20214904e7de9a076e23cf34d6bfd', 'PaymentAuthorised', '{"provider":"sandbox","reference":"sandbox_ord_01a202149047774980cea55a826e6867","amount_cents":24607}', '{"transaction_id":"cli-f16e22b77fd0165b30d28489","actor":"platform:pay-1"}', '2026-11-22 07:07:11.822+00', '\xb0c50302658b07045b575e97dc2c6342f497e068aebfbd379bf60c0fcec557cd'),
	('order-ord_01a202149047774980cea55a826e6867', 3, 'evt_01a20214904e7de9a076e23d37f522c2', 'OrderConfirmed', '{"status":{"status":"confirmed","status_message":"Confirmed","status_code":2000}}', '{"transaction_id":"cli-f16e22b77fd0165b30d28489","actor":"platform:pay-1"}', '2026-11-22 07:07:11.822+00', '\x512bd974dd911cc39db68178138c82d5b616838282b1ff4362cc1c3a10c3f183'),
	('order-ord_01a202149047774980cea55a826e6867', 4, 'evt_01a2021490e5792ca622f295d4828b3c', 'TicketsShipped', '{"status":{"status":"confirmed","status_message":"Tickets shipped (hard tickets)","status_code":2002}}', '{"transaction_id":"req_01a2021490e479dcbac689252e38d87f","actor":"staff:administrator"}', '2026-11-22 07:07:11.973+00', '\xabfcad0c51386ba057bba091e2e03734ca23138b75583ccae81a1cd4704c855b'),
	('order-ord_01a2021495757157837ea8c694f45815', 1, 'evt_01a2021495757157837ea8c7a5237358', 'PurchaseReceived', '{"client_id":"wh-old","variant":"wholesale","product":{"event_id":"5512","listing_id":"lst-1","quantity":2},"listing_version":1,"total_cents":18002,"delivery_method":"ship","ref_id":"not yet known to the platform","duplicate_key":"ref:not yet known to the platform","trusted":false,"hold_for_review":false,"confirmation":"automatic","confirm_within_minutes":null,"payment":null,"market_specific_fields":null,"personal":"ASdfUJ07EGPeurZPeV+5RiaTX5j4jbVIKlzF7znkil3/6A0dXfn9nxk0Z7RwPER/ItrL4GhAGek9O+5wVb1EQEiaA+vvZaW0M5fgBShiIwIWu/BO2oU2xmCiMQNoPw=="}', '{"transaction_id":"cli-d37dedaeba51a75c40c98233","actor":"platform:wh-old"}', '2026-11-22 07:07:13.141+00', '\x637a4ad3f0a3f5cf281f80b37a6d84d9704e69d34dba1cab394336a5a5731121'),
	('order-ord_01a2021495757157837ea8c694f45815', 2, 'evt_01a2021495757157837ea8c8499486da', 'OrderConfirmed', '{"status":{"status":"confirmed","status_message":"Confirmed","status_code":2000}}', '{"transaction_id":"cli-d37dedaeba51a75c40c98233","actor":"platform:wh-old"}', '2026-11-22 07:07:13.141+00', '\x0dc81fde1c0f4f584a068cdc116c581f2f1deb171864378d2a477a95436649e8'),
	('order-ord_01a202149aaa7ef2be946c7d944e040e', 1, 'evt_01a202149aab7db6aeda601200f15c4f', 'PurchaseReceived', '{"client_id":"pay-1","variant":"payment","product":{"event_id":"5512","listing_id":"lst-1","quantity":2},"listing_version":1,"total_cents":24607,"delivery_method":"ship","ref_id":"not yet known to the platform, paid","duplicate_key":"ref:not yet known to the platform, paid","trusted":false,"hold_for_review":false,"confirmation":"automatic","confirm_within_minutes":null,"payment":{"type":"creditcard","brand":"visa","last_four":"1111","expiry_month":12,"expiry_year":2028},"market_specific_fields":null,"personal":"AcqPuK56mWyirGIus8iLQl41qb2lTOsCnV6cTpBkkmQ3L6yi2Kit5sTk9IZYzoDSS98LbPyXwffPhGcGUPMf6m0YvtMxJPHG/56TxtaCRS7c+1vNKVSYfGTMGZfDEIsWOrQKznNDFgPfKzlPgCXo/8XpEGjHBZUYHRhMsy1dA3yKihI9XkXHkqyMbCHIYkec1iTMKaOscGyoD8LqFucTNmNzIB3GqWbfMuyjhZQiL5z5InMsn77Io1asii6vGom6YQxspArcndlmbR4gOOFGhY6D+t5cqJPJEO0Q9sMdIoQpj0nyWmae+GxP84xdM80urpedtVIcHTjxHoCl3HUv1j6SU+ezLS3DrDhrg0h3wMFQQYsWX0sTD0PZq2o3KvxtZw3Olo//vdQTVIJH0j0dR0DuetyG4CTOLBGqKrSiccLAKjbf4eu63fW1YiArPN/aQAPVVOfpk1+lkASZKNLEuRgLhSRZ/0bJ3uio7Q=="}', '{"transaction_id":"cli-7ea81f7792f7972437f7f055","actor":"platform:pay-1"}', '2026-11-22 07:07:14.475+00', '\x523a4d746ed8246f7681191fa758591a353a990a8dbaa98c7a5d6eaf628b7a2c'),
	('order-ord_01a202149aaa7ef2be946c7d944e040e', 2, 'evt_01a202149ab272b880e3babee5907efa', 'PaymentAuthorised', '{"provider":"sandbox","reference":"sandbox_ord_01a202149aaa7ef2be946c7d944e040e","amount_cents":24607}', '{"transaction_id":"cli-7ea81f7792f7972437f7f055","actor":"platform:pay-1"}', '2026-11-22 07:07:14.482+00', '\x6a7405091b9902c58d503063a9be3849d509acf5cbb10a5f48e4189c7af0a54e'),
	('order-ord_01a202149aaa7ef2be946c7d944e040e', 3, 'evt_01a202149ab272b880e3babf59f597c2', 'OrderConfirmed', '{"status":{"status":"confirmed","status_message":"Confirmed","status_code":2000}}', '{"transaction_id":"cli-7ea81f7792f7972437f7f055","actor":"platform:pay-1"}', '2026-11-22 07:07:14.482+00', '\xaf257202285f9fd74be7688d026a3c1375de6e5317a33e762a21b4cd2ba1b152');


--
-- Data for Name: feed; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.feed VALUES
	(1, 'order-ord_01a20214802872d3b758879af35fbf58', 1),
	(2, 'order-ord_01a20214802872d3b758879af35fbf58', 2),
	(3, 'order-ord_01a2021485a9760897faa40ea5fc6ac0', 1),
	(4, 'order-ord_01a2021485a9760897faa40ea5fc6ac0', 2),
	(5, 'order-ord_01a2021485a9760897faa40ea5fc6ac0', 3),
	(6, 'order-ord_01a202148b277498910be30774412eea', 1),
	(7, 'order-ord_01a202148b277498910be30774412eea', 2),
	(8, 'order-ord_01a202148b277498910be30774412eea', 3),
	(9, 'order-ord_01a202149047774980cea55a826e6867', 1),
	(10, 'order-ord_01a202149047774980cea55a826e6867', 2),
	(11, 'order-ord_01a202149047774980cea55a826e6867', 3),
	(12, 'order-ord_01a202149047774980cea55a826e6867', 4),
	(13, 'order-ord_01a2021495757157837ea8c694f45815', 1),
	(14, 'order-ord_01a2021495757157837ea8c694f45815', 2),
	(15, 'order-ord_01a202149aaa7ef2be946c7d944e040e', 1),
	(16, 'order-ord_01a202149aaa7ef2be946c7d944e040e', 2),
	(17, 'order-ord_01a202149aaa7ef2be946c7d944e040e', 3);


--
-- Data for Name: listings; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.listings VALUES
	('lst-1', 1, '{"eventId":"5512","section":"Floor","row":"A","notes":"","splitRule":"any","priceCents":10000,"feesCents":1000,"wholesalePriceCents":9001,"taxRate":0.05,"taxRates":{},"deliveryMethods":[{"type":"ship","name":"Courier","costCents":1507},{"type":"download","name":"E-tickets","costCents":0}],"confirmation":"automatic"}', DEFAULT, DEFAULT, 40, 30, NULL, '2026-11-22 07:07:06.16+00', '2026-11-22 07:07:06.16+00');


--
-- Data for Name: migrations; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.migrations VALUES
	(1, 1764000000000, 'OrderCore1764000000000'),
	(2, 1764100000000, 'PingStream1764100000000'),
	(3, 1764200000000, 'Webhooks1764200000000'),
	(4, 1764300000000, 'Catalogue1764300000000'),
	(5, 1764310000000, 'DiscoveryKeys1764310000000'),
	(6, 1764320000000, 'CatalogueChanges1764320000000'),
	(7, 1764400000000, 'Repair1764400000000'),
	(8, 1764500000000, 'Recommendations1764500000000'),
	(9, 1764600000000, 'PingEndpoints1764600000000'),
	(10, 1764700000000, 'GrownTables1764700000000'),
	(11, 1764830000000, 'LongTransactionIds1764830000000'),
	(12, 1764830001000, 'ListingLists1764830001000'),
	(13, 1764840000000, 'Installation1764840000000'),
	(14, 1764860000000, 'Epoch1764860000000');


--
-- Data for Name: operational_notices; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: orders; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.orders VALUES
	('ord_01a20214802872d3b758879af35fbf58', 2, 'wh-old', 'wholesale', 'placed', 'confirmed', 2000, 'Confirmed', '5512', 'lst-1', 2, 2, 18002, 'wholesale', 'cli-bec966da64702cac1882b830', '2026-11-22 07:07:07.69+00', '2026-11-22 07:07:07.69+00', NULL, NULL, '{"id":"ord_01a20214802872d3b758879af35fbf58","status":{"status":"confirmed","status_message":"Confirmed","status_code":2000},"product":{"event_id":"5512","listing_id":"lst-1","quantity":2},"delivery_method":{"type":"ship","data":{}},"fulfillment":null,"ref_id":"wholesale","status_history":[{"status":"confirmed","status_message":"Confirmed","status_code":2000,"created_at":"2026-11-22T07:07:07.690Z"}]}', '{"payment":null,"trusted":false,"personal_data":"kept"}', '\x0146255ff94f6d0ef11ef52ab1c8e0a59147cd16267a87c9f29f53cb04d46887d3e4828ce6de9c6d41af735324a0aabed96a14d21b5f67645dae3c43ea908f4cdb2ecb1386e5c7490c3e9a52f29215c6df1b348b38894549af25b95f436c'),
	('ord_01a2021485a9760897faa40ea5fc6ac0', 3, 'pay-1', 'payment', 'placed', 'confirmed', 2000, 'Confirmed', '5512', 'lst-1', 2, 2, 24607, 'paid by card', 'cli-cf01ac8142d0d66de41e3162', '2026-11-22 07:07:09.097+00', '2026-11-22 07:07:09.104+00', NULL, NULL, '{"id":"ord_01a2021485a9760897faa40ea5fc6ac0","status":{"status":"confirmed","status_message":"Confirmed","status_code":2000},"product":{"event_id":"5512","listing_id":"lst-1","quantity":2},"delivery_method":{"type":"ship","data":{}},"fulfillment":null,"ref_id":"paid by card","status_history":[{"status":"confirmed","status_message":"Confirmed","status_code":2000,"created_at":"2026-11-22T07:07:09.104Z"}]}', '{"payment":{"type":"creditcard","brand":"visa","last_four":"1111","expiry_month":12,"expiry_year":2028,"state":"authorised","provider":"sandbox","reference":"sandbox_ord_01a2021485a9760897faa40ea5fc6ac0","reason":null},"trusted":false,"personal_data":"kept"}', '\x01b2913243251fae7951491e69efb4a6c38bbe429a4717004152351462905a6899d27c2da5a8a4a1f2d357ba667e36883c5085e6a3b00f17ac5dcdbbe69483809f3845cee80947ea17ed485af01738f4aea08bf40667001129d99745d643d0d4a2eb6d50b11f6467ed8c774cf20d715c079063de55e8c5af2a5bfbc4d547d7e0593e4efd2964f3c09273ac79ba8405fe51314f4e164bd23a745f67b7db17fcbfed943fb42dad594e1d62e415de619e4b1201ca90609a8c16ce0cc7f9bc319ffe2489cb21a0c025cebe08a4cea3f0dae48b708870727091e774e18707be2c5df441bcaea7f4f4eaaa529247207bfbabd13eb182c8557b581fe9ab2db22137a269f4f89812a86065e5488add3de66b1d1974a2ff3207ad305561e5ed89ec7d98260ad79a2dfcc5a92fff3bb9c023fd67ff0459bfc21ac6566186e25760aad61c18a1341fd1ad1d7744d5e32bb0b082a66696b7b82b66ff7a3601c791462f28bd0a452212bed5cfe1362adf82a4'),
	('ord_01a202148b277498910be30774412eea', 3, 'wh-old', 'wholesale', 'placed', 'rejected', 3001, 'Fraud - system', '5512', 'lst-1', 2, 0, 18002, 'rejected', 'cli-ae039bc8287bfab8583e0ada', '2026-11-22 07:07:10.503+00', '2026-11-22 07:07:10.654+00', NULL, NULL, '{"id":"ord_01a202148b277498910be30774412eea","status":{"status":"rejected","status_message":"Fraud - system","status_code":3001},"product":{"event_id":"5512","listing_id":"lst-1","quantity":2},"delivery_method":{"type":"ship","data":{}},"fulfillment":null,"ref_id":"rejected","status_history":[{"status":"confirmed","status_message":"Confirmed","status_code":2000,"created_at":"2026-11-22T07:07:10.503Z"},{"status":"rejected","status_message":"Fraud - system","status_code":3001,"created_at":"2026-11-22T07:07:10.654Z"}]}', '{"payment":null,"trusted":false,"personal_data":"kept"}', '\x01db3914eae20a4adb9dab2aca535cb4d7e55a7b558e378f3709abdc69ee11f8aaede8af3fe4f54027683bf41984d5127b714785cc55978eda6bb813ee29dd83764f6553945301f0414d0bc64db74c7493695d311d1daa7717f7ba1a3b92'),
	('ord_01a2021495757157837ea8c694f45815', 2, 'wh-old', 'wholesale', 'placed', 'confirmed', 2000, 'Confirmed', '5512', 'lst-1', 2, 2, 18002, 'not yet known to the platform', 'cli-d37dedaeba51a75c40c98233', '2026-11-22 07:07:13.141+00', '2026-11-22 07:07:13.141+00', NULL, NULL, '{"id":"ord_01a2021495757157837ea8c694f45815","status":{"status":"confirmed","status_message":"Confirmed","status_code":2000},"product":{"event_id":"5512","listing_id":"lst-1","quantity":2},"delivery_method":{"type":"ship","data":{}},"fulfillment":null,"ref_id":"not yet known to the platform","status_history":[{"status":"confirmed","status_message":"Confirmed","status_code":2000,"created_at":"2026-11-22T07:07:13.141Z"}]}', '{"payment":null,"trusted":false,"personal_data":"kept"}', '\x01275f509d3b1063debab64f795fb94626935f98f88db5482a5cc5ef39e48a5dffe80d1d5df9fd9f193467b4703c447f22dacbe0684019e93d3bee7055bd4440489a03ebef65a5b43397e0052862230216bbf04eda8536c660a23103683f'),
	('ord_01a202149aaa7ef2be946c7d944e040e', 3, 'pay-1', 'payment', 'placed', 'confirmed', 2000, 'Confirmed', '5512', 'lst-1', 2, 2, 24607, 'not yet known to the platform, paid', 'cli-7ea81f7792f7972437f7f055', '2026-11-22 07:07:14.475+00', '2026-11-22 07:07:14.482+00', NULL, NULL, '{"id":"ord_01a202149aaa7ef2be946c7d944e040e","status":{"status":"confirmed","status_message":"Confirmed","status_code":2000},"product":{"event_id":"5512","listing_id":"lst-1","quantity":2},"delivery_method":{"type":"ship","data":{}},"fulfillment":null,"ref_id":"not yet known to the platform, paid","status_history":[{"status":"confirmed","status_message":"Confirmed","status_code":2000,"created_at":"2026-11-22T07:07:14.482Z"}]}', '{"payment":{"type":"creditcard","brand":"visa","last_four":"1111","expiry_month":12,"expiry_year":2028,"state":"authorised","provider":"sandbox","reference":"sandbox_ord_01a202149aaa7ef2be946c7d944e040e","reason":null},"trusted":false,"personal_data":"kept"}', '\x01ca8fb8ae7a996ca2ac622eb3c88b425e35a9bda54ceb029d5e9c4e90649264372faca2d8a8ade6c4e4f48658ce80d24bdf0b6cfc97c1f7cf84670650f31fea6d18bed33124f1c6ff9e93c6d682452edcfb5bcd2954987c64cc1997c3108b163ab40ace73431603df2b394f8025e8ffc5e91068c70595181d184cb32d5d037c8a8a123d5e45c792ac8c6c21c862479cd624cc29a3ac706ca80fc2ea16e713366373201dc6a966df32eca38594222f9cf922732c9fbec8a356ac8a2eaf1a89ba610c6ca40adc9dd9666d1e2038e146858e83fade5ca893c910ed10f6c31d2284298f49f25a669ef86c4ff38c5d33cd2eae979db5521c1d38f11e80a5dc752fd63e9253e7b32d2dc3ac386b834877c0c150418b165f4b130f43d9ab6a372afc6d670dce968fffbdd413548247d23d1d4740ee7adc86e024ce2c11aa2ab4a271c2c02a36dfe1ebbaddf5b562202b3cdfda4003d554e7e9935fa590049928d2c4b9180b852459ff46c9dee8a8ed'),
	('ord_01a202149047774980cea55a826e6867', 4, 'pay-1', 'payment', 'placed', 'confirmed', 2002, 'Tickets shipped (hard tickets)', '5512', 'lst-1', 2, 2, 24607, 'shipped', 'cli-f16e22b77fd0165b30d28489', '2026-11-22 07:07:11.816+00', '2026-11-22 07:07:11.973+00', NULL, NULL, '{"id":"ord_01a202149047774980cea55a826e6867","status":{"status":"confirmed","status_message":"Tickets shipped (hard tickets)","status_code":2002},"product":{"event_id":"5512","listing_id":"lst-1","quantity":2},"delivery_method":{"type":"ship","data":{}},"fulfillment":null,"ref_id":"shipped","status_history":[{"status":"confirmed","status_message":"Confirmed","status_code":2000,"created_at":"2026-11-22T07:07:11.822Z"},{"status":"confirmed","status_message":"Tickets shipped (hard tickets)","status_code":2002,"created_at":"2026-11-22T07:07:11.973Z"}]}', '{"payment":{"type":"creditcard","brand":"visa","last_four":"1111","expiry_month":12,"expiry_year":2028,"state":"authorised","provider":"sandbox","reference":"sandbox_ord_01a202149047774980cea55a826e6867","reason":null},"trusted":false,"personal_data":"kept"}', '\x0157446e97eda99300a586f52dbf90d11a93ab8308c84de6be77cd220bc39800ed20b4261d26d66eb439e3ad54452f9dc1e4a64d9f687a955a21675b19797df29c261389f83c06d74dab9e13da1e821cce5f1a0c6b1278a608575438456c02e000c1e36e980eec7c683c1d4248d6c62d909cc3809cb1ac1c8d6f4f0dc699adaa914224d81c0d26b237a54fadcbf3d21fd097a7bfc52c9bfb08f28e8250d18ea7b061a57069d162ffae5cb5d758cf3473119d91c373208ade266ada6acf8297014ce0a1a92fb52b3e7bc616282ad05aa386e7199b4b4b62bc2154edf45d628b5a0f9a9b474c799feb4e756e78a907b9a31f8455eb30c219d6caa9dbfd11fdd123cd1a28c2017f95c0a41b7812eeb6d4e8793f2720ce6301c366852c58b1ba7d48f52a8882b9d0dec7013c7fc500a48d3f730f792d39122f03cb4ca13ef9b41419788d0e71ff4dd83ac0212e45480106bf2cfd27206948ce05326fca92739c354032b7cd99e562733f54f8fa6a');


--
-- Data for Name: outbox; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: personal_data_keys; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.personal_data_keys VALUES
	('ord_01a20214802872d3b758879af35fbf58', '\xbd50ca304028f71c9e116bc5928c209d5a6ef16b9d9c5648005c64b72e24634f', '\x41d2e0f6ab17f5ce9ee44e932b026fd3651878109bdc3f4c8f9470b6c0a8ff1e'),
	('ord_01a2021485a9760897faa40ea5fc6ac0', '\x4082b8c28015e5ee7f4ba47d666fae4cc4cbb82c2b28614615aba015bad7d0fa', '\x41d2e0f6ab17f5ce9ee44e932b026fd3651878109bdc3f4c8f9470b6c0a8ff1e'),
	('ord_01a202148b277498910be30774412eea', '\x1d49bc81ab3b4987abf005f86526f5e5186533d764b10e3bf346ff04d72b6df1', '\x41d2e0f6ab17f5ce9ee44e932b026fd3651878109bdc3f4c8f9470b6c0a8ff1e'),
	('ord_01a202149047774980cea55a826e6867', '\xb5142af4c7ae81a2dc5bed0c03977f1b995b4a67bb2c6e9dc5c4b52c866aa884', '\x41d2e0f6ab17f5ce9ee44e932b026fd3651878109bdc3f4c8f9470b6c0a8ff1e'),
	('ord_01a2021495757157837ea8c694f45815', '\x2b1aa32eba71629a5a85ab2a27a307aeb2c86ef4374cbd102d0f2cb8983ba03a', '\x41d2e0f6ab17f5ce9ee44e932b026fd3651878109bdc3f4c8f9470b6c0a8ff1e'),
	('ord_01a202149aaa7ef2be946c7d944e040e', '\x37ba8952565256d4e0afc4a4be825df77ead4174be8c3f4d6b4f9345886cb887', '\x41d2e0f6ab17f5ce9ee44e932b026fd3651878109bdc3f4c8f9470b6c0a8ff1e');


--
-- Data for Name: ping_attempts; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.ping_attempts VALUES
	('ord_01a20214802872d3b758879af35fbf58', 1, 1, '2026-11-22 07:07:07.906+00', 22, 200, NULL),
	('ord_01a2021485a9760897faa40ea5fc6ac0', 1, 1, '2026-11-22 07:07:09.136+00', 2, 200, NULL),
	('ord_01a202148b277498910be30774412eea', 1, 1, '2026-11-22 07:07:10.546+00', 5, 200, NULL),
	('ord_01a202148b277498910be30774412eea', 2, 1, '2026-11-22 07:07:10.73+00', 4, 200, NULL),
	('ord_01a202149047774980cea55a826e6867', 1, 1, '2026-11-22 07:07:11.929+00', 6, 200, NULL),
	('ord_01a202149047774980cea55a826e6867', 2, 1, '2026-11-22 07:07:12.015+00', 3, 200, NULL),
	('ord_01a2021495757157837ea8c694f45815', 1, 1, '2026-11-22 07:07:13.195+00', 7, 503, 'the platform answered 503'),
	('ord_01a202149aaa7ef2be946c7d944e040e', 1, 1, '2026-11-22 07:07:14.568+00', 5, 503, 'the platform answered 503'),
	('ord_01a2021495757157837ea8c694f45815', 1, 2, '2026-11-22 07:07:19.375+00', 10, 503, 'the platform answered 503'),
	('ord_01a202149aaa7ef2be946c7d944e040e', 1, 2, '2026-11-22 07:07:20.655+00', 1, 503, 'the platform answered 503'),
	('ord_01a2021495757157837ea8c694f45815', 1, 3, '2026-11-22 07:07:31.6+00', 4, 503, 'the platform answered 503'),
	('ord_01a202149aaa7ef2be946c7d944e040e', 1, 3, '2026-11-22 07:07:32.96+00', 4, 503, 'the platform answered 503'),
	('ord_01a2021495757157837ea8c694f45815', 1, 4, '2026-11-22 07:07:54.239+00', 5, 503, 'the platform answered 503'),
	('ord_01a202149aaa7ef2be946c7d944e040e', 1, 4, '2026-11-22 07:07:55.72+00', 4, 503, 'the platform answered 503');


--
-- Data for Name: ping_endpoints; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.ping_endpoints VALUES
	('platform', 'closed', 0, 0, NULL, 0);


--
-- Data for Name: ping_leases; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: ping_stream; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.ping_stream VALUES
	(2, 'png_01a20214802872d3b758879af35fbf58_1', 'ord_01a20214802872d3b758879af35fbf58', 1, 'wholesale', 'confirmed', 2000, 'Confirmed', '2026-11-22 07:07:07.69+00', 'cli-bec966da64702cac1882b830', '5512', 'lst-1', 'wh-old'),
	(5, 'png_01a2021485a9760897faa40ea5fc6ac0_1', 'ord_01a2021485a9760897faa40ea5fc6ac0', 1, 'paid by card', 'confirmed', 2000, 'Confirmed', '2026-11-22 07:07:09.104+00', 'cli-cf01ac8142d0d66de41e3162', '5512', 'lst-1', 'pay-1'),
	(7, 'png_01a202148b277498910be30774412eea_1', 'ord_01a202148b277498910be30774412eea', 1, 'rejected', 'confirmed', 2000, 'Confirmed', '2026-11-22 07:07:10.503+00', 'cli-ae039bc8287bfab8583e0ada', '5512', 'lst-1', 'wh-old'),
	(8, 'png_01a202148b277498910be30774412eea_2', 'ord_01a202148b277498910be30774412eea', 2, 'rejected', 'rejected', 3001, 'Fraud - system', '2026-11-22 07:07:10.654+00', 'req_01a202148bb878c4afdacecd80facf53', '5512', 'lst-1', 'wh-old'),
	(11, 'png_01a202149047774980cea55a826e6867_1', 'ord_01a202149047774980cea55a826e6867', 1, 'shipped', 'confirmed', 2000, 'Confirmed', '2026-11-22 07:07:11.822+00', 'cli-f16e22b77fd0165b30d28489', '5512', 'lst-1', 'pay-1'),
	(12, 'png_01a202149047774980cea55a826e6867_2', 'ord_01a202149047774980cea55a826e6867', 2, 'shipped', 'confirmed', 2002, 'Tickets shipped (hard tickets)', '2026-11-22 07:07:11.973+00', 'req_01a2021490e479dcbac689252e38d87f', '5512', 'lst-1', 'pay-1'),
	(14, 'png_01a2021495757157837ea8c694f45815_1', 'ord_01a2021495757157837ea8c694f45815', 1, 'not yet known to the platform', 'confirmed', 2000, 'Confirmed', '2026-11-22 07:07:13.141+00', 'cli-d37dedaeba51a75c40c98233', '5512', 'lst-1', 'wh-old'),
	(17, 'png_01a202149aaa7ef2be946c7d944e040e_1', 'ord_01a202149aaa7ef2be946c7d944e040e', 1, 'not yet known to the platform, paid', 'confirmed', 2000, 'Confirmed', '2026-11-22 07:07:14.482+00', 'cli-7ea81f7792f7972437f7f055', '5512', 'lst-1', 'pay-1');


--
-- Data for Name: pings; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.pings VALUES
	('ord_01a20214802872d3b758879af35fbf58', 1, 2, 'wh-old', 'wholesale', 'confirmed', 2000, 'Confirmed', '2026-11-22 07:07:07.69+00', 'cli-bec966da64702cac1882b830', 'delivered', '2026-11-22 07:07:07.693+00', 1, 1, NULL, '2026-11-22 07:07:07.929+00'),
	('ord_01a2021485a9760897faa40ea5fc6ac0', 1, 3, 'pay-1', 'paid by card', 'confirmed', 2000, 'Confirmed', '2026-11-22 07:07:09.104+00', 'cli-cf01ac8142d0d66de41e3162', 'delivered', '2026-11-22 07:07:09.105+00', 1, 1, NULL, '2026-11-22 07:07:09.138+00'),
	('ord_01a202148b277498910be30774412eea', 1, 2, 'wh-old', 'rejected', 'confirmed', 2000, 'Confirmed', '2026-11-22 07:07:10.503+00', 'cli-ae039bc8287bfab8583e0ada', 'delivered', '2026-11-22 07:07:10.504+00', 1, 1, NULL, '2026-11-22 07:07:10.553+00'),
	('ord_01a202148b277498910be30774412eea', 2, 3, 'wh-old', 'rejected', 'rejected', 3001, 'Fraud - system', '2026-11-22 07:07:10.654+00', 'req_01a202148bb878c4afdacecd80facf53', 'delivered', '2026-11-22 07:07:10.655+00', 1, 1, NULL, '2026-11-22 07:07:10.735+00'),
	('ord_01a202149047774980cea55a826e6867', 1, 3, 'pay-1', 'shipped', 'confirmed', 2000, 'Confirmed', '2026-11-22 07:07:11.822+00', 'cli-f16e22b77fd0165b30d28489', 'delivered', '2026-11-22 07:07:11.823+00', 1, 1, NULL, '2026-11-22 07:07:11.937+00'),
	('ord_01a202149047774980cea55a826e6867', 2, 4, 'pay-1', 'shipped', 'confirmed', 2002, 'Tickets shipped (hard tickets)', '2026-11-22 07:07:11.973+00', 'req_01a2021490e479dcbac689252e38d87f', 'delivered', '2026-11-22 07:07:11.975+00', 1, 1, NULL, '2026-11-22 07:07:12.018+00'),
	('ord_01a2021495757157837ea8c694f45815', 1, 2, 'wh-old', 'not yet known to the platform', 'confirmed', 2000, 'Confirmed', '2026-11-22 07:07:13.141+00', 'cli-d37dedaeba51a75c40c98233', 'pending', '2026-11-22 07:07:13.147+00', 4, 4, '2026-11-22 07:08:38.425+00', NULL),
	('ord_01a202149aaa7ef2be946c7d944e040e', 1, 3, 'pay-1', 'not yet known to the platform, paid', 'confirmed', 2000, 'Confirmed', '2026-11-22 07:07:14.482+00', 'cli-7ea81f7792f7972437f7f055', 'pending', '2026-11-22 07:07:14.483+00', 4, 4, '2026-11-22 07:08:43.512+00', NULL);


--
-- Data for Name: platform_reads; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: purchase_keys; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.purchase_keys VALUES
	('wh-old', 'ref:wholesale', 'ord_01a20214802872d3b758879af35fbf58'),
	('pay-1', 'ref:paid by card', 'ord_01a2021485a9760897faa40ea5fc6ac0'),
	('wh-old', 'ref:rejected', 'ord_01a202148b277498910be30774412eea'),
	('pay-1', 'ref:shipped', 'ord_01a202149047774980cea55a826e6867'),
	('wh-old', 'ref:not yet known to the platform', 'ord_01a2021495757157837ea8c694f45815'),
	('pay-1', 'ref:not yet known to the platform, paid', 'ord_01a202149aaa7ef2be946c7d944e040e');


--
-- Data for Name: replay_items; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: replays; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: sample_data_load; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: sandbox_payments; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.sandbox_payments VALUES
	('ord_01a2021485a9760897faa40ea5fc6ac0', 'sandbox_ord_01a2021485a9760897faa40ea5fc6ac0', 24607, 'authorised', '2026-11-22 07:07:09.102+00'),
	('ord_01a202149047774980cea55a826e6867', 'sandbox_ord_01a202149047774980cea55a826e6867', 24607, 'authorised', '2026-11-22 07:07:11.821+00'),
	('ord_01a202149aaa7ef2be946c7d944e040e', 'sandbox_ord_01a202149aaa7ef2be946c7d944e040e', 24607, 'authorised', '2026-11-22 07:07:14.481+00');


--
-- Data for Name: sandbox_pings; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: status_history; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.status_history VALUES
	('ord_01a20214802872d3b758879af35fbf58', 1, 2, 'confirmed', 2000, 'Confirmed', 'platform:wh-old', NULL, '2026-11-22 07:07:07.69+00'),
	('ord_01a2021485a9760897faa40ea5fc6ac0', 1, 3, 'confirmed', 2000, 'Confirmed', 'platform:pay-1', NULL, '2026-11-22 07:07:09.104+00'),
	('ord_01a202148b277498910be30774412eea', 1, 2, 'confirmed', 2000, 'Confirmed', 'platform:wh-old', NULL, '2026-11-22 07:07:10.503+00'),
	('ord_01a202148b277498910be30774412eea', 2, 3, 'rejected', 3001, 'Fraud - system', 'staff:administrator', NULL, '2026-11-22 07:07:10.654+00'),
	('ord_01a202149047774980cea55a826e6867', 1, 3, 'confirmed', 2000, 'Confirmed', 'platform:pay-1', NULL, '2026-11-22 07:07:11.822+00'),
	('ord_01a202149047774980cea55a826e6867', 2, 4, 'confirmed', 2002, 'Tickets shipped (hard tickets)', 'staff:administrator', NULL, '2026-11-22 07:07:11.973+00'),
	('ord_01a2021495757157837ea8c694f45815', 1, 2, 'confirmed', 2000, 'Confirmed', 'platform:wh-old', NULL, '2026-11-22 07:07:13.141+00'),
	('ord_01a202149aaa7ef2be946c7d944e040e', 1, 3, 'confirmed', 2000, 'Confirmed', 'platform:pay-1', NULL, '2026-11-22 07:07:14.482+00');


--
-- Data for Name: stream_tokens; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.stream_tokens VALUES
	('stk_01a20214746d742f929343a5016a925d', 'Accounting', '\x5fb56cbe3eb002c115ab612d4caf54b9d4b112af983bf6162851f833591a1fb8', '2026-11-22 07:07:04.686+00', NULL, NULL);


--
-- Data for Name: subscriptions; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.subscriptions VALUES
	('ping-stream', 17, '2026-11-22 07:07:14.507209+00'),
	('ping-doorbells', 17, '2026-11-22 07:07:14.509432+00'),
	('discovery-stats', 17, '2026-11-22 07:07:14.65643+00');


--
-- Data for Name: webhook_attempts; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.webhook_attempts VALUES
	('whk_01a202147965731faa4eed33cb9c0f60', 2, 1, 'http://127.0.0.1:28101/hook', '2026-11-22 07:07:07.847+00', 47, 200, NULL, '{}'),
	('whk_01a202147965731faa4eed33cb9c0f60', 5, 1, 'http://127.0.0.1:28101/hook', '2026-11-22 07:07:09.15+00', 3, 200, NULL, '{}'),
	('whk_01a202147965731faa4eed33cb9c0f60', 7, 1, 'http://127.0.0.1:28101/hook', '2026-11-22 07:07:10.567+00', 3, 200, NULL, '{}'),
	('whk_01a202147965731faa4eed33cb9c0f60', 8, 1, 'http://127.0.0.1:28101/hook', '2026-11-22 07:07:10.696+00', 7, 200, NULL, '{}'),
	('whk_01a202147965731faa4eed33cb9c0f60', 11, 1, 'http://127.0.0.1:28101/hook', '2026-11-22 07:07:11.948+00', 2, 200, NULL, '{}'),
	('whk_01a202147965731faa4eed33cb9c0f60', 12, 1, 'http://127.0.0.1:28101/hook', '2026-11-22 07:07:11.992+00', 3, 200, NULL, '{}'),
	('whk_01a202147965731faa4eed33cb9c0f60', 14, 1, 'http://127.0.0.1:28101/hook', '2026-11-22 07:07:13.2+00', 4, 503, 'the receiver answered 503', '{}'),
	('whk_01a202147965731faa4eed33cb9c0f60', 17, 1, 'http://127.0.0.1:28101/hook', '2026-11-22 07:07:14.553+00', 8, 503, 'the receiver answered 503', '{}'),
	('whk_01a202147965731faa4eed33cb9c0f60', 14, 2, 'http://127.0.0.1:28101/hook', '2026-11-22 07:07:19.391+00', 4, 503, 'the receiver answered 503', '{}'),
	('whk_01a202147965731faa4eed33cb9c0f60', 17, 2, 'http://127.0.0.1:28101/hook', '2026-11-22 07:07:19.713+00', 2, 503, 'the receiver answered 503', '{}'),
	('whk_01a202147965731faa4eed33cb9c0f60', 14, 3, 'http://127.0.0.1:28101/hook', '2026-11-22 07:07:29.694+00', 2, 503, 'the receiver answered 503', '{}'),
	('whk_01a202147965731faa4eed33cb9c0f60', 17, 3, 'http://127.0.0.1:28101/hook', '2026-11-22 07:07:30.787+00', 4, 503, 'the receiver answered 503', '{}'),
	('whk_01a202147965731faa4eed33cb9c0f60', 14, 4, 'http://127.0.0.1:28101/hook', '2026-11-22 07:07:50.855+00', 3, 503, 'the receiver answered 503', '{}'),
	('whk_01a202147965731faa4eed33cb9c0f60', 17, 4, 'http://127.0.0.1:28101/hook', '2026-11-22 07:07:52.082+00', 2, 503, 'the receiver answered 503', '{}');


--
-- Data for Name: webhook_deliveries; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.webhook_deliveries VALUES
	('whk_01a202147965731faa4eed33cb9c0f60', 2, 'ord_01a20214802872d3b758879af35fbf58', 'delivered', 1, 1, '2026-11-22 07:07:07.847+00', NULL, '2026-11-22 07:07:07.833+00', '2026-11-22 07:07:07.895+00'),
	('whk_01a202147965731faa4eed33cb9c0f60', 5, 'ord_01a2021485a9760897faa40ea5fc6ac0', 'delivered', 1, 1, '2026-11-22 07:07:09.15+00', NULL, '2026-11-22 07:07:09.139+00', '2026-11-22 07:07:09.153+00'),
	('whk_01a202147965731faa4eed33cb9c0f60', 7, 'ord_01a202148b277498910be30774412eea', 'delivered', 1, 1, '2026-11-22 07:07:10.567+00', NULL, '2026-11-22 07:07:10.563+00', '2026-11-22 07:07:10.571+00'),
	('whk_01a202147965731faa4eed33cb9c0f60', 8, 'ord_01a202148b277498910be30774412eea', 'delivered', 1, 1, '2026-11-22 07:07:10.696+00', NULL, '2026-11-22 07:07:10.675+00', '2026-11-22 07:07:10.711+00'),
	('whk_01a202147965731faa4eed33cb9c0f60', 11, 'ord_01a202149047774980cea55a826e6867', 'delivered', 1, 1, '2026-11-22 07:07:11.948+00', NULL, '2026-11-22 07:07:11.935+00', '2026-11-22 07:07:11.951+00'),
	('whk_01a202147965731faa4eed33cb9c0f60', 12, 'ord_01a202149047774980cea55a826e6867', 'delivered', 1, 1, '2026-11-22 07:07:11.992+00', NULL, '2026-11-22 07:07:11.988+00', '2026-11-22 07:07:11.995+00'),
	('whk_01a202147965731faa4eed33cb9c0f60', 14, 'ord_01a2021495757157837ea8c694f45815', 'pending', 4, 4, '2026-11-22 07:07:13.2+00', '2026-11-22 07:08:34.797+00', '2026-11-22 07:07:13.187+00', NULL),
	('whk_01a202147965731faa4eed33cb9c0f60', 17, 'ord_01a202149aaa7ef2be946c7d944e040e', 'pending', 4, 4, '2026-11-22 07:07:14.553+00', '2026-11-22 07:08:36.832+00', '2026-11-22 07:07:14.54+00', NULL);


--
-- Data for Name: webhook_leases; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: webhook_secrets; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.webhook_secrets VALUES
	('sec_01a202147965731faa4eed34e77e0606', 'whk_01a202147965731faa4eed33cb9c0f60', '\x0127e531aa82f91cf10dcdc23f6fd5bdd5b69ff8dbbfb9611d7520994aaafccbd80354af453da282d7555ebc1d61a2ec3e45e4c02957f878011a1920e7f50d5f5f30450bf497ba6aaaaea24fdb1e18', '2026-11-22 07:07:05.957+00', NULL);


--
-- Data for Name: webhooks; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.webhooks VALUES
	('whk_01a202147965731faa4eed33cb9c0f60', 'http://127.0.0.1:28101/hook', NULL, NULL, NULL, 500, 'active', NULL, 1, 0, 17, 'closed', 8, 0, NULL, NULL, false, '2026-11-22 07:07:05.957+00', '2026-11-22 07:07:05.957+00');


--
-- Name: bullmq_jid_76a03c1b958010fd028041b7bda34db3; Type: SEQUENCE SET; Schema: bullmq; Owner: -
--

SELECT pg_catalog.setval('bullmq.bullmq_jid_76a03c1b958010fd028041b7bda34db3', 1, false);


--
-- Name: bullmq_jid_c10f40999b74c408263f790b30e70efe; Type: SEQUENCE SET; Schema: bullmq; Owner: -
--

SELECT pg_catalog.setval('bullmq.bullmq_jid_c10f40999b74c408263f790b30e70efe', 1, false);


--
-- Name: event_seq; Type: SEQUENCE SET; Schema: bullmq; Owner: -
--

SELECT pg_catalog.setval('bullmq.event_seq', 146, true);


--
-- Name: job_seq; Type: SEQUENCE SET; Schema: bullmq; Owner: -
--

SELECT pg_catalog.setval('bullmq.job_seq', 32, true);


--
-- Name: relay_inbox_id_seq; Type: SEQUENCE SET; Schema: bullmq; Owner: -
--

SELECT pg_catalog.setval('bullmq.relay_inbox_id_seq', 1, false);


--
-- Name: relay_mid_seq; Type: SEQUENCE SET; Schema: bullmq; Owner: -
--

SELECT pg_catalog.setval('bullmq.relay_mid_seq', 1, false);


--
-- Name: discovery_changed_stock_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.discovery_changed_stock_id_seq', 1, true);


--
-- Name: migrations_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.migrations_id_seq', 14, true);


--
-- Name: operational_notices_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.operational_notices_id_seq', 1, false);


--
-- Name: outbox_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.outbox_id_seq', 17, true);


--
-- Name: sandbox_pings_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.sandbox_pings_id_seq', 1, false);


--
-- Name: dedup_next dedup_next_pkey; Type: CONSTRAINT; Schema: bullmq; Owner: -
--

ALTER TABLE ONLY bullmq.dedup_next
    ADD CONSTRAINT dedup_next_pkey PRIMARY KEY (queue, dedup_id);


--
-- Name: dedup dedup_pkey; Type: CONSTRAINT; Schema: bullmq; Owner: -
--

ALTER TABLE ONLY bullmq.dedup
    ADD CONSTRAINT dedup_pkey PRIMARY KEY (queue, dedup_id);


--
-- Name: event event_pkey; Type: CONSTRAINT; Schema: bullmq; Owner: -
--

ALTER TABLE ONLY bullmq.event
    ADD CONSTRAINT event_pkey PRIMARY KEY (queue, id);


--
-- Name: job_dependency job_dependency_pkey; Type: CONSTRAINT; Schema: bullmq; Owner: -
--

ALTER TABLE ONLY bullmq.job_dependency
    ADD CONSTRAINT job_dependency_pkey PRIMARY KEY (parent_queue, parent_id, child_key);


--
-- Name: job_log job_log_pkey; Type: CONSTRAINT; Schema: bullmq; Owner: -
--

ALTER TABLE ONLY bullmq.job_log
    ADD CONSTRAINT job_log_pkey PRIMARY KEY (queue, job_id, idx);


--
-- Name: job job_pkey; Type: CONSTRAINT; Schema: bullmq; Owner: -
--

ALTER TABLE ONLY bullmq.job
    ADD CONSTRAINT job_pkey PRIMARY KEY (queue, id);


--
-- Name: meta meta_pkey; Type: CONSTRAINT; Schema: bullmq; Owner: -
--

ALTER TABLE ONLY bullmq.meta
    ADD CONSTRAINT meta_pkey PRIMARY KEY (queue, field);


--
-- Name: metrics metrics_pkey; Type: CONSTRAINT; Schema: bullmq; Owner: -
--

ALTER TABLE ONLY bullmq.metrics
    ADD CONSTRAINT metrics_pkey PRIMARY KEY (queue, kind);


--
-- Name: migration migration_pkey; Type: CONSTRAINT; Schema: bullmq; Owner: -
--

ALTER TABLE ONLY bullmq.migration
    ADD CONSTRAINT migration_pkey PRIMARY KEY (version);


--
-- Name: rate_limit rate_limit_pkey; Type: CONSTRAINT; Schema: bullmq; Owner: -
--

ALTER TABLE ONLY bullmq.rate_limit
    ADD CONSTRAINT rate_limit_pkey PRIMARY KEY (queue);


--
-- Name: relay_inbox relay_inbox_pkey; Type: CONSTRAINT; Schema: bullmq; Owner: -
--

ALTER TABLE ONLY bullmq.relay_inbox
    ADD CONSTRAINT relay_inbox_pkey PRIMARY KEY (id);


--
-- Name: relay_node relay_node_pkey; Type: CONSTRAINT; Schema: bullmq; Owner: -
--

ALTER TABLE ONLY bullmq.relay_node
    ADD CONSTRAINT relay_node_pkey PRIMARY KEY (ns, node_id);


--
-- Name: relay_retained relay_retained_pkey; Type: CONSTRAINT; Schema: bullmq; Owner: -
--

ALTER TABLE ONLY bullmq.relay_retained
    ADD CONSTRAINT relay_retained_pkey PRIMARY KEY (ns, topic);


--
-- Name: relay_subscription relay_subscription_pkey; Type: CONSTRAINT; Schema: bullmq; Owner: -
--

ALTER TABLE ONLY bullmq.relay_subscription
    ADD CONSTRAINT relay_subscription_pkey PRIMARY KEY (ns, pattern, node_id, endpoint_id);


--
-- Name: scheduler scheduler_pkey; Type: CONSTRAINT; Schema: bullmq; Owner: -
--

ALTER TABLE ONLY bullmq.scheduler
    ADD CONSTRAINT scheduler_pkey PRIMARY KEY (queue, scheduler_id);


--
-- Name: migrations PK_8c82d7f526340ab734260ea46be; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.migrations
    ADD CONSTRAINT "PK_8c82d7f526340ab734260ea46be" PRIMARY KEY (id);


--
-- Name: client_secrets client_secrets_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.client_secrets
    ADD CONSTRAINT client_secrets_pkey PRIMARY KEY (id);


--
-- Name: clients clients_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.clients
    ADD CONSTRAINT clients_pkey PRIMARY KEY (client_id);


--
-- Name: database_epoch database_epoch_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.database_epoch
    ADD CONSTRAINT database_epoch_pkey PRIMARY KEY (only_row);


--
-- Name: discovery_changed_stock discovery_changed_stock_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.discovery_changed_stock
    ADD CONSTRAINT discovery_changed_stock_pkey PRIMARY KEY (id);


--
-- Name: discovery_changes discovery_changes_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.discovery_changes
    ADD CONSTRAINT discovery_changes_pkey PRIMARY KEY (kind, id);


--
-- Name: discovery_events discovery_events_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.discovery_events
    ADD CONSTRAINT discovery_events_pkey PRIMARY KEY (id);


--
-- Name: discovery_genres discovery_genres_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.discovery_genres
    ADD CONSTRAINT discovery_genres_pkey PRIMARY KEY (id);


--
-- Name: discovery_key_usage discovery_key_usage_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.discovery_key_usage
    ADD CONSTRAINT discovery_key_usage_pkey PRIMARY KEY (client_id, day);


--
-- Name: discovery_keys discovery_keys_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.discovery_keys
    ADD CONSTRAINT discovery_keys_pkey PRIMARY KEY (client_id);


--
-- Name: discovery_performer_affinity discovery_performer_affinity_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.discovery_performer_affinity
    ADD CONSTRAINT discovery_performer_affinity_pkey PRIMARY KEY (performer_id, other_id);


--
-- Name: discovery_performers discovery_performers_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.discovery_performers
    ADD CONSTRAINT discovery_performers_pkey PRIMARY KEY (id);


--
-- Name: discovery_postal_codes discovery_postal_codes_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.discovery_postal_codes
    ADD CONSTRAINT discovery_postal_codes_pkey PRIMARY KEY (country, code);


--
-- Name: discovery_taxonomies discovery_taxonomies_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.discovery_taxonomies
    ADD CONSTRAINT discovery_taxonomies_pkey PRIMARY KEY (id);


--
-- Name: discovery_venues discovery_venues_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.discovery_venues
    ADD CONSTRAINT discovery_venues_pkey PRIMARY KEY (id);


--
-- Name: encryption_key encryption_key_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.encryption_key
    ADD CONSTRAINT encryption_key_pkey PRIMARY KEY (only_row);


--
-- Name: events events_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.events
    ADD CONSTRAINT events_pkey PRIMARY KEY (stream, "position");


--
-- Name: feed feed_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.feed
    ADD CONSTRAINT feed_pkey PRIMARY KEY ("position");


--
-- Name: feed feed_stream_stream_position_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.feed
    ADD CONSTRAINT feed_stream_stream_position_key UNIQUE (stream, stream_position);


--
-- Name: listings listings_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.listings
    ADD CONSTRAINT listings_pkey PRIMARY KEY (id);


--
-- Name: operational_notices operational_notices_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.operational_notices
    ADD CONSTRAINT operational_notices_pkey PRIMARY KEY (id);


--
-- Name: orders orders_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.orders
    ADD CONSTRAINT orders_pkey PRIMARY KEY (id);


--
-- Name: outbox outbox_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.outbox
    ADD CONSTRAINT outbox_pkey PRIMARY KEY (id);


--
-- Name: personal_data_keys personal_data_keys_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.personal_data_keys
    ADD CONSTRAINT personal_data_keys_pkey PRIMARY KEY (order_id);


--
-- Name: ping_attempts ping_attempts_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.ping_attempts
    ADD CONSTRAINT ping_attempts_pkey PRIMARY KEY (order_id, sequence, attempt);


--
-- Name: ping_endpoints ping_endpoints_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.ping_endpoints
    ADD CONSTRAINT ping_endpoints_pkey PRIMARY KEY (endpoint);


--
-- Name: ping_leases ping_leases_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.ping_leases
    ADD CONSTRAINT ping_leases_pkey PRIMARY KEY (order_id);


--
-- Name: ping_stream ping_stream_order_id_sequence_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.ping_stream
    ADD CONSTRAINT ping_stream_order_id_sequence_key UNIQUE (order_id, sequence);


--
-- Name: ping_stream ping_stream_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.ping_stream
    ADD CONSTRAINT ping_stream_pkey PRIMARY KEY ("position");


--
-- Name: pings pings_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.pings
    ADD CONSTRAINT pings_pkey PRIMARY KEY (order_id, sequence);


--
-- Name: platform_reads platform_reads_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.platform_reads
    ADD CONSTRAINT platform_reads_pkey PRIMARY KEY (order_id);


--
-- Name: purchase_keys purchase_keys_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.purchase_keys
    ADD CONSTRAINT purchase_keys_pkey PRIMARY KEY (client_id, key);


--
-- Name: replay_items replay_items_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.replay_items
    ADD CONSTRAINT replay_items_pkey PRIMARY KEY (replay_id, number);


--
-- Name: replays replays_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.replays
    ADD CONSTRAINT replays_pkey PRIMARY KEY (id);


--
-- Name: sample_data_load sample_data_load_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.sample_data_load
    ADD CONSTRAINT sample_data_load_pkey PRIMARY KEY (only_row);


--
-- Name: sandbox_payments sandbox_payments_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.sandbox_payments
    ADD CONSTRAINT sandbox_payments_pkey PRIMARY KEY (order_id);


--
-- Name: sandbox_pings sandbox_pings_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.sandbox_pings
    ADD CONSTRAINT sandbox_pings_pkey PRIMARY KEY (id);


--
-- Name: status_history status_history_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.status_history
    ADD CONSTRAINT status_history_pkey PRIMARY KEY (order_id, sequence);


--
-- Name: stream_tokens stream_tokens_digest_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.stream_tokens
    ADD CONSTRAINT stream_tokens_digest_key UNIQUE (digest);


--
-- Name: stream_tokens stream_tokens_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.stream_tokens
    ADD CONSTRAINT stream_tokens_pkey PRIMARY KEY (id);


--
-- Name: subscriptions subscriptions_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.subscriptions
    ADD CONSTRAINT subscriptions_pkey PRIMARY KEY (name);


--
-- Name: webhook_attempts webhook_attempts_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.webhook_attempts
    ADD CONSTRAINT webhook_attempts_pkey PRIMARY KEY (webhook_id, "position", attempt);


--
-- Name: webhook_deliveries webhook_deliveries_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.webhook_deliveries
    ADD CONSTRAINT webhook_deliveries_pkey PRIMARY KEY (webhook_id, "position");


--
-- Name: webhook_leases webhook_leases_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.webhook_leases
    ADD CONSTRAINT webhook_leases_pkey PRIMARY KEY (webhook_id);


--
-- Name: webhook_secrets webhook_secrets_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.webhook_secrets
    ADD CONSTRAINT webhook_secrets_pkey PRIMARY KEY (id);


--
-- Name: webhooks webhooks_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.webhooks
    ADD CONSTRAINT webhooks_pkey PRIMARY KEY (id);


--
-- Name: dedup_expire_idx; Type: INDEX; Schema: bullmq; Owner: -
--

CREATE INDEX dedup_expire_idx ON bullmq.dedup USING btree (queue, expire_at_ms) WHERE (expire_at_ms IS NOT NULL);


--
-- Name: dedup_job_idx; Type: INDEX; Schema: bullmq; Owner: -
--

CREATE INDEX dedup_job_idx ON bullmq.dedup USING btree (queue, job_id);


--
-- Name: dep_child_idx; Type: INDEX; Schema: bullmq; Owner: -
--

CREATE INDEX dep_child_idx ON bullmq.job_dependency USING btree (child_queue, child_id);


--
-- Name: dep_parent_status_idx; Type: INDEX; Schema: bullmq; Owner: -
--

CREATE INDEX dep_parent_status_idx ON bullmq.job_dependency USING btree (parent_queue, parent_id, status);


--
-- Name: job_active_idx; Type: INDEX; Schema: bullmq; Owner: -
--

CREATE INDEX job_active_idx ON bullmq.job USING btree (queue, locked_until_ms) WHERE (state = 'active'::bullmq.job_state);


--
-- Name: job_delayed_idx; Type: INDEX; Schema: bullmq; Owner: -
--

CREATE INDEX job_delayed_idx ON bullmq.job USING btree (queue, process_at_ms) WHERE (state = 'delayed'::bullmq.job_state);


--
-- Name: job_finished_idx; Type: INDEX; Schema: bullmq; Owner: -
--

CREATE INDEX job_finished_idx ON bullmq.job USING btree (queue, state, finished_at_ms) WHERE (state = ANY (ARRAY['completed'::bullmq.job_state, 'failed'::bullmq.job_state]));


--
-- Name: job_parent_idx; Type: INDEX; Schema: bullmq; Owner: -
--

CREATE INDEX job_parent_idx ON bullmq.job USING btree (parent_queue, parent_id) WHERE (parent_id IS NOT NULL);


--
-- Name: job_ready_idx; Type: INDEX; Schema: bullmq; Owner: -
--

CREATE INDEX job_ready_idx ON bullmq.job USING btree (queue, priority, seq) WHERE (state = 'waiting'::bullmq.job_state);


--
-- Name: job_scheduler_idx; Type: INDEX; Schema: bullmq; Owner: -
--

CREATE INDEX job_scheduler_idx ON bullmq.job USING btree (queue, scheduler_id) WHERE (scheduler_id IS NOT NULL);


--
-- Name: job_waiting_children_idx; Type: INDEX; Schema: bullmq; Owner: -
--

CREATE INDEX job_waiting_children_idx ON bullmq.job USING btree (queue, seq) WHERE (state = 'waiting-children'::bullmq.job_state);


--
-- Name: relay_inbox_node_idx; Type: INDEX; Schema: bullmq; Owner: -
--

CREATE INDEX relay_inbox_node_idx ON bullmq.relay_inbox USING btree (ns, node_id, id);


--
-- Name: relay_node_lease_idx; Type: INDEX; Schema: bullmq; Owner: -
--

CREATE INDEX relay_node_lease_idx ON bullmq.relay_node USING btree (lease_until);


--
-- Name: relay_node_registered_idx; Type: INDEX; Schema: bullmq; Owner: -
--

CREATE INDEX relay_node_registered_idx ON bullmq.relay_node USING btree (ns, registered_at);


--
-- Name: relay_retained_expiry_idx; Type: INDEX; Schema: bullmq; Owner: -
--

CREATE INDEX relay_retained_expiry_idx ON bullmq.relay_retained USING btree (expires_at);


--
-- Name: relay_subscription_endpoint_idx; Type: INDEX; Schema: bullmq; Owner: -
--

CREATE INDEX relay_subscription_endpoint_idx ON bullmq.relay_subscription USING btree (ns, node_id, endpoint_id);


--
-- Name: relay_subscription_root_idx; Type: INDEX; Schema: bullmq; Owner: -
--

CREATE INDEX relay_subscription_root_idx ON bullmq.relay_subscription USING btree (ns, root);


--
-- Name: scheduler_next_idx; Type: INDEX; Schema: bullmq; Owner: -
--

CREATE INDEX scheduler_next_idx ON bullmq.scheduler USING btree (queue, next_run_ms);


--
-- Name: client_secrets_client; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX client_secrets_client ON public.client_secrets USING btree (client_id);


--
-- Name: discovery_changes_since; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX discovery_changes_since ON public.discovery_changes USING btree (changed_in);


--
-- Name: discovery_events_performers; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX discovery_events_performers ON public.discovery_events USING gin (performer_ids);


--
-- Name: discovery_events_venue; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX discovery_events_venue ON public.discovery_events USING btree (venue_id);


--
-- Name: discovery_genres_slug; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX discovery_genres_slug ON public.discovery_genres USING btree (slug);


--
-- Name: discovery_performers_genres; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX discovery_performers_genres ON public.discovery_performers USING gin (genre_ids);


--
-- Name: discovery_performers_slug; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX discovery_performers_slug ON public.discovery_performers USING btree (slug);


--
-- Name: discovery_performers_taxonomies; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX discovery_performers_taxonomies ON public.discovery_performers USING gin (taxonomy_ids);


--
-- Name: discovery_taxonomies_parent; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX discovery_taxonomies_parent ON public.discovery_taxonomies USING btree (parent_id);


--
-- Name: discovery_venues_slug; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX discovery_venues_slug ON public.discovery_venues USING btree (slug);


--
-- Name: listings_created_at; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX listings_created_at ON public.listings USING btree (created_at, id);


--
-- Name: listings_event; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX listings_event ON public.listings USING btree (event_id);


--
-- Name: listings_updated_at; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX listings_updated_at ON public.listings USING btree (updated_at, id);


--
-- Name: operational_notices_subject; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX operational_notices_subject ON public.operational_notices USING btree (subject, id);


--
-- Name: orders_due; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX orders_due ON public.orders USING btree (due_at) WHERE (due_at IS NOT NULL);


--
-- Name: orders_event; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX orders_event ON public.orders USING btree (event_id);


--
-- Name: orders_listing; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX orders_listing ON public.orders USING btree (listing_id);


--
-- Name: orders_placed_at; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX orders_placed_at ON public.orders USING btree (placed_at, id);


--
-- Name: orders_ref_id; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX orders_ref_id ON public.orders USING btree (ref_id);


--
-- Name: orders_status_code; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX orders_status_code ON public.orders USING btree (status_code, placed_at);


--
-- Name: orders_transaction_start; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX orders_transaction_start ON public.orders USING btree ("left"(transaction_id, 200) text_pattern_ops);


--
-- Name: orders_updated_at; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX orders_updated_at ON public.orders USING btree (updated_at, id);


--
-- Name: personal_data_email; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX personal_data_email ON public.personal_data_keys USING btree (email_digest) WHERE (email_digest IS NOT NULL);


--
-- Name: ping_attempts_started_at; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX ping_attempts_started_at ON public.ping_attempts USING btree (started_at);


--
-- Name: ping_stream_occurred_at; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX ping_stream_occurred_at ON public.ping_stream USING brin (occurred_at) WITH (autosummarize='on');


--
-- Name: pings_due; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX pings_due ON public.pings USING btree (next_try_at, order_id, sequence) WHERE (state = 'pending'::text);


--
-- Name: pings_parked; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX pings_parked ON public.pings USING btree (order_id, sequence) WHERE (state = 'parked'::text);


--
-- Name: replays_running; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX replays_running ON public.replays USING btree (id) WHERE (state = 'running'::text);


--
-- Name: sandbox_pings_of_order; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX sandbox_pings_of_order ON public.sandbox_pings USING btree (order_id) WHERE signature_valid;


--
-- Name: sandbox_pings_unread; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX sandbox_pings_unread ON public.sandbox_pings USING btree (next_read_at, id) WHERE (next_read_at IS NOT NULL);


--
-- Name: webhook_deliveries_due; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX webhook_deliveries_due ON public.webhook_deliveries USING btree (webhook_id, next_try_at, "position") WHERE (state = 'pending'::text);


--
-- Name: webhook_deliveries_order; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX webhook_deliveries_order ON public.webhook_deliveries USING btree (webhook_id, order_id, "position") WHERE (next_try_at IS NOT NULL);


--
-- Name: webhook_deliveries_parked; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX webhook_deliveries_parked ON public.webhook_deliveries USING btree (webhook_id, "position") WHERE (state = 'parked'::text);


--
-- Name: webhook_secrets_webhook; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX webhook_secrets_webhook ON public.webhook_secrets USING btree (webhook_id);


--
-- Name: discovery_events deleted_events; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER deleted_events AFTER DELETE ON public.discovery_events REFERENCING OLD TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION public.discovery_note_changed_events();


--
-- Name: discovery_genres deleted_genres; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER deleted_genres AFTER DELETE ON public.discovery_genres REFERENCING OLD TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION public.discovery_note_changed_genres();


--
-- Name: discovery_performers deleted_performers; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER deleted_performers AFTER DELETE ON public.discovery_performers REFERENCING OLD TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION public.discovery_note_changed_performers();


--
-- Name: discovery_postal_codes deleted_postal_codes; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER deleted_postal_codes AFTER DELETE ON public.discovery_postal_codes REFERENCING OLD TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION public.discovery_note_changed_postal_codes();


--
-- Name: discovery_taxonomies deleted_taxonomies; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER deleted_taxonomies AFTER DELETE ON public.discovery_taxonomies REFERENCING OLD TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION public.discovery_note_changed_taxonomies();


--
-- Name: discovery_venues deleted_venues; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER deleted_venues AFTER DELETE ON public.discovery_venues REFERENCING OLD TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION public.discovery_note_changed_venues();


--
-- Name: listings discovery_stats_follow; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER discovery_stats_follow AFTER INSERT OR UPDATE OF terms, offered, withdrawn_at ON public.listings FOR EACH ROW EXECUTE FUNCTION public.discovery_note_changed_listing();


--
-- Name: events events_are_kept; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER events_are_kept BEFORE DELETE OR UPDATE ON public.events FOR EACH ROW EXECUTE FUNCTION public.refuse_change();


--
-- Name: events events_stay; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER events_stay BEFORE TRUNCATE ON public.events FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();


--
-- Name: feed feed_is_kept; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER feed_is_kept BEFORE DELETE OR UPDATE ON public.feed FOR EACH ROW EXECUTE FUNCTION public.refuse_change();


--
-- Name: feed feed_stays; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER feed_stays BEFORE TRUNCATE ON public.feed FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();


--
-- Name: discovery_events inserted_events; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER inserted_events AFTER INSERT ON public.discovery_events REFERENCING NEW TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION public.discovery_note_changed_events();


--
-- Name: discovery_genres inserted_genres; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER inserted_genres AFTER INSERT ON public.discovery_genres REFERENCING NEW TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION public.discovery_note_changed_genres();


--
-- Name: discovery_performers inserted_performers; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER inserted_performers AFTER INSERT ON public.discovery_performers REFERENCING NEW TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION public.discovery_note_changed_performers();


--
-- Name: discovery_postal_codes inserted_postal_codes; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER inserted_postal_codes AFTER INSERT ON public.discovery_postal_codes REFERENCING NEW TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION public.discovery_note_changed_postal_codes();


--
-- Name: discovery_taxonomies inserted_taxonomies; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER inserted_taxonomies AFTER INSERT ON public.discovery_taxonomies REFERENCING NEW TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION public.discovery_note_changed_taxonomies();


--
-- Name: discovery_venues inserted_venues; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER inserted_venues AFTER INSERT ON public.discovery_venues REFERENCING NEW TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION public.discovery_note_changed_venues();


--
-- Name: discovery_events truncated_events; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER truncated_events AFTER TRUNCATE ON public.discovery_events FOR EACH STATEMENT EXECUTE FUNCTION public.discovery_note_truncation();


--
-- Name: discovery_genres truncated_genres; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER truncated_genres AFTER TRUNCATE ON public.discovery_genres FOR EACH STATEMENT EXECUTE FUNCTION public.discovery_note_truncation();


--
-- Name: discovery_performers truncated_performers; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER truncated_performers AFTER TRUNCATE ON public.discovery_performers FOR EACH STATEMENT EXECUTE FUNCTION public.discovery_note_truncation();


--
-- Name: discovery_postal_codes truncated_postal_codes; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER truncated_postal_codes AFTER TRUNCATE ON public.discovery_postal_codes FOR EACH STATEMENT EXECUTE FUNCTION public.discovery_note_truncation();


--
-- Name: discovery_taxonomies truncated_taxonomies; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER truncated_taxonomies AFTER TRUNCATE ON public.discovery_taxonomies FOR EACH STATEMENT EXECUTE FUNCTION public.discovery_note_truncation();


--
-- Name: discovery_venues truncated_venues; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER truncated_venues AFTER TRUNCATE ON public.discovery_venues FOR EACH STATEMENT EXECUTE FUNCTION public.discovery_note_truncation();


--
-- Name: discovery_events updated_events; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER updated_events AFTER UPDATE ON public.discovery_events REFERENCING NEW TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION public.discovery_note_changed_events();


--
-- Name: discovery_genres updated_genres; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER updated_genres AFTER UPDATE ON public.discovery_genres REFERENCING NEW TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION public.discovery_note_changed_genres();


--
-- Name: discovery_performers updated_performers; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER updated_performers AFTER UPDATE ON public.discovery_performers REFERENCING NEW TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION public.discovery_note_changed_performers();


--
-- Name: discovery_postal_codes updated_postal_codes; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER updated_postal_codes AFTER UPDATE ON public.discovery_postal_codes REFERENCING NEW TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION public.discovery_note_changed_postal_codes();


--
-- Name: discovery_taxonomies updated_taxonomies; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER updated_taxonomies AFTER UPDATE ON public.discovery_taxonomies REFERENCING NEW TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION public.discovery_note_changed_taxonomies();


--
-- Name: discovery_venues updated_venues; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER updated_venues AFTER UPDATE ON public.discovery_venues REFERENCING NEW TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION public.discovery_note_changed_venues();


--
-- Name: job_dependency job_dependency_parent_queue_parent_id_fkey; Type: FK CONSTRAINT; Schema: bullmq; Owner: -
--

ALTER TABLE ONLY bullmq.job_dependency
    ADD CONSTRAINT job_dependency_parent_queue_parent_id_fkey FOREIGN KEY (parent_queue, parent_id) REFERENCES bullmq.job(queue, id) ON DELETE CASCADE;


--
-- Name: job_log job_log_queue_job_id_fkey; Type: FK CONSTRAINT; Schema: bullmq; Owner: -
--

ALTER TABLE ONLY bullmq.job_log
    ADD CONSTRAINT job_log_queue_job_id_fkey FOREIGN KEY (queue, job_id) REFERENCES bullmq.job(queue, id) ON DELETE CASCADE;


--
-- Name: relay_inbox relay_inbox_ns_node_id_fkey; Type: FK CONSTRAINT; Schema: bullmq; Owner: -
--

ALTER TABLE ONLY bullmq.relay_inbox
    ADD CONSTRAINT relay_inbox_ns_node_id_fkey FOREIGN KEY (ns, node_id) REFERENCES bullmq.relay_node(ns, node_id) ON DELETE CASCADE;


--
-- Name: relay_subscription relay_subscription_ns_node_id_fkey; Type: FK CONSTRAINT; Schema: bullmq; Owner: -
--

ALTER TABLE ONLY bullmq.relay_subscription
    ADD CONSTRAINT relay_subscription_ns_node_id_fkey FOREIGN KEY (ns, node_id) REFERENCES bullmq.relay_node(ns, node_id) ON DELETE CASCADE;


--
-- Name: client_secrets client_secrets_client_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.client_secrets
    ADD CONSTRAINT client_secrets_client_id_fkey FOREIGN KEY (client_id) REFERENCES public.clients(client_id);


--
-- Name: discovery_key_usage discovery_key_usage_client_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.discovery_key_usage
    ADD CONSTRAINT discovery_key_usage_client_id_fkey FOREIGN KEY (client_id) REFERENCES public.discovery_keys(client_id);


--
-- Name: webhook_secrets webhook_secrets_webhook_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.webhook_secrets
    ADD CONSTRAINT webhook_secrets_webhook_id_fkey FOREIGN KEY (webhook_id) REFERENCES public.webhooks(id) ON DELETE CASCADE;


--
-- Name: SCHEMA public; Type: ACL; Schema: -; Owner: -
--

GRANT USAGE ON SCHEMA public TO willcall_app;


--
-- Name: FUNCTION analyze_grown_tables(); Type: ACL; Schema: public; Owner: -
--

REVOKE ALL ON FUNCTION public.analyze_grown_tables() FROM PUBLIC;
GRANT ALL ON FUNCTION public.analyze_grown_tables() TO willcall_app;


--
-- Name: FUNCTION current_epoch(); Type: ACL; Schema: public; Owner: -
--

REVOKE ALL ON FUNCTION public.current_epoch() FROM PUBLIC;
GRANT ALL ON FUNCTION public.current_epoch() TO willcall_app;


--
-- Name: FUNCTION database_identity(); Type: ACL; Schema: public; Owner: -
--

REVOKE ALL ON FUNCTION public.database_identity() FROM PUBLIC;


--
-- Name: FUNCTION renew_epoch(); Type: ACL; Schema: public; Owner: -
--

REVOKE ALL ON FUNCTION public.renew_epoch() FROM PUBLIC;


--
-- Name: TABLE client_secrets; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT,INSERT,UPDATE ON TABLE public.client_secrets TO willcall_app;


--
-- Name: TABLE clients; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT,INSERT,UPDATE ON TABLE public.clients TO willcall_app;


--
-- Name: TABLE database_epoch; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT ON TABLE public.database_epoch TO willcall_app;


--
-- Name: TABLE discovery_changed_stock; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.discovery_changed_stock TO willcall_app;


--
-- Name: SEQUENCE discovery_changed_stock_id_seq; Type: ACL; Schema: public; Owner: -
--

GRANT USAGE ON SEQUENCE public.discovery_changed_stock_id_seq TO willcall_app;


--
-- Name: TABLE discovery_changes; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT,INSERT,UPDATE ON TABLE public.discovery_changes TO willcall_app;


--
-- Name: TABLE discovery_events; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.discovery_events TO willcall_app;


--
-- Name: TABLE discovery_genres; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.discovery_genres TO willcall_app;


--
-- Name: TABLE discovery_key_usage; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT,INSERT,UPDATE ON TABLE public.discovery_key_usage TO willcall_app;


--
-- Name: TABLE discovery_keys; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT,INSERT,UPDATE ON TABLE public.discovery_keys TO willcall_app;


--
-- Name: TABLE discovery_performer_affinity; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.discovery_performer_affinity TO willcall_app;


--
-- Name: TABLE discovery_performers; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.discovery_performers TO willcall_app;


--
-- Name: TABLE discovery_postal_codes; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.discovery_postal_codes TO willcall_app;


--
-- Name: TABLE discovery_taxonomies; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.discovery_taxonomies TO willcall_app;


--
-- Name: TABLE discovery_venues; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.discovery_venues TO willcall_app;


--
-- Name: TABLE encryption_key; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT,INSERT ON TABLE public.encryption_key TO willcall_app;


--
-- Name: TABLE events; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT,INSERT ON TABLE public.events TO willcall_app;


--
-- Name: TABLE feed; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT,INSERT ON TABLE public.feed TO willcall_app;


--
-- Name: TABLE listings; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT,INSERT,UPDATE ON TABLE public.listings TO willcall_app;


--
-- Name: SEQUENCE migrations_id_seq; Type: ACL; Schema: public; Owner: -
--

GRANT USAGE ON SEQUENCE public.migrations_id_seq TO willcall_app;


--
-- Name: TABLE operational_notices; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT,INSERT ON TABLE public.operational_notices TO willcall_app;


--
-- Name: SEQUENCE operational_notices_id_seq; Type: ACL; Schema: public; Owner: -
--

GRANT USAGE ON SEQUENCE public.operational_notices_id_seq TO willcall_app;


--
-- Name: TABLE orders; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT,INSERT,UPDATE ON TABLE public.orders TO willcall_app;


--
-- Name: TABLE outbox; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT,INSERT,DELETE ON TABLE public.outbox TO willcall_app;


--
-- Name: SEQUENCE outbox_id_seq; Type: ACL; Schema: public; Owner: -
--

GRANT USAGE ON SEQUENCE public.outbox_id_seq TO willcall_app;


--
-- Name: TABLE personal_data_keys; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT,INSERT,DELETE ON TABLE public.personal_data_keys TO willcall_app;


--
-- Name: TABLE ping_attempts; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT,INSERT,UPDATE ON TABLE public.ping_attempts TO willcall_app;


--
-- Name: TABLE ping_endpoints; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT,UPDATE ON TABLE public.ping_endpoints TO willcall_app;


--
-- Name: TABLE ping_leases; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.ping_leases TO willcall_app;


--
-- Name: TABLE ping_stream; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT,INSERT ON TABLE public.ping_stream TO willcall_app;


--
-- Name: TABLE pings; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT,INSERT,UPDATE ON TABLE public.pings TO willcall_app;


--
-- Name: TABLE platform_reads; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.platform_reads TO willcall_app;


--
-- Name: TABLE purchase_keys; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT,INSERT,DELETE ON TABLE public.purchase_keys TO willcall_app;


--
-- Name: TABLE replay_items; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.replay_items TO willcall_app;


--
-- Name: TABLE replays; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.replays TO willcall_app;


--
-- Name: TABLE sample_data_load; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT,INSERT,DELETE ON TABLE public.sample_data_load TO willcall_app;


--
-- Name: TABLE sandbox_payments; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.sandbox_payments TO willcall_app;


--
-- Name: TABLE sandbox_pings; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.sandbox_pings TO willcall_app;


--
-- Name: SEQUENCE sandbox_pings_id_seq; Type: ACL; Schema: public; Owner: -
--

GRANT USAGE ON SEQUENCE public.sandbox_pings_id_seq TO willcall_app;


--
-- Name: TABLE status_history; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT,INSERT,UPDATE ON TABLE public.status_history TO willcall_app;


--
-- Name: TABLE stream_tokens; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT,INSERT,UPDATE ON TABLE public.stream_tokens TO willcall_app;


--
-- Name: TABLE subscriptions; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT,INSERT,UPDATE ON TABLE public.subscriptions TO willcall_app;


--
-- Name: TABLE webhook_attempts; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.webhook_attempts TO willcall_app;


--
-- Name: TABLE webhook_deliveries; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.webhook_deliveries TO willcall_app;


--
-- Name: TABLE webhook_leases; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.webhook_leases TO willcall_app;


--
-- Name: TABLE webhook_secrets; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.webhook_secrets TO willcall_app;


--
-- Name: TABLE webhooks; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.webhooks TO willcall_app;


--
-- PostgreSQL database dump complete
--


