-- The days of one or many people, read by DuckDB as they stand in folders or a bucket.
--
--   SET VARIABLE stores = ['people/ann', 'people/bob'];
--   SET VARIABLE schema = 'schema/health.v0.schema.json';
--   .read analytics/days.sql
--   SELECT person, date, steps FROM days;
--
-- makes
--   days           a row for each person and date: the readable revision with the greatest id (R30).
--                  A metric without data is NULL, never 0. The person is the last part of the store.
--   readings       the same, a row for each metric, with unit and status
--   unread_days    dates whose revisions are all unreadable: `days` does not have them
--   unread_files   unreadable revisions, most of which stand behind a readable one
--
-- One document a day is read; lesser revisions only where the greatest is not readable. latest.json
-- is not asked, because the listing is whole. A file that cannot be read ends the script.

-- The catalogue of metrics, with their units: the schema that stands beside this file.
CREATE OR REPLACE TEMP TABLE catalogue AS
SELECT
  unit.key AS metric, unit.value ->> 'const' AS unit,
  list_contains((properties -> '$.metrics.required')::VARCHAR[], unit.key) AS is_required
FROM (SELECT content::JSON -> 'properties' AS properties FROM read_text(getvariable('schema'))),
  json_each(properties -> '$.metric_units.properties') AS unit;

-- The listing. A name of another form is not a revision (R6).
CREATE OR REPLACE TEMP TABLE revision_files AS
WITH listed AS (
  SELECT
    file,
    regexp_extract(
      file,
      '(?:([^/]+)/)?health/v0/data/(\d{4})/(\d{2})/(\d{2})/revisions/'
      || '((\d{8})T(\d{6})Z-[0-9A-Fa-f]{6,233})\.json$',
      ['person', 'year', 'month', 'day', 'id', 'id_date', 'id_time']) AS part
  FROM glob(list_transform(
    getvariable('stores'), lambda store: store || '/health/v0/data/*/*/*/revisions/*.json')))
SELECT
  file, part.person AS person, concat_ws('-', part.year, part.month, part.day) AS date,
  part.id AS revision_id, row_number() OVER (PARTITION BY person, date ORDER BY revision_id DESC) AS place
FROM listed
WHERE try_strptime(part.id_date || part.id_time, '%Y%m%d%H%M%S') IS NOT NULL
  AND TRY_CAST(concat_ws('-', part.year, part.month, part.day) AS DATE) IS NOT NULL;

-- What R41 wants of a document that can be understood.
CREATE OR REPLACE TEMP MACRO is_moment(text) AS coalesce(
  regexp_full_match(
    text,
    '\d{4}-\d{2}-\d{2}T([01]\d|2[0-3]):\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}(:?[0-5]\d|:[0-5]\d:[0-5]\d)?)')
  AND try_strptime(text[:19], '%Y-%m-%dT%H:%M:%S') IS NOT NULL, false);

CREATE OR REPLACE TEMP MACRO moment_of(text) AS TRY_CAST(
  regexp_replace(text, '\.\d+', '') AS TIMESTAMPTZ);

-- How deep a path such as $.a."b.c"[0] leads.
CREATE OR REPLACE TEMP MACRO depth_of(path) AS len(
  regexp_extract_all(regexp_replace(path, '"(?:[^"\\]|\\.)*"', '', 'g'), '[.\[]'));

-- A value at most 64 deep, in which no key stands twice and every number is finite (R13).
CREATE OR REPLACE TEMP MACRO is_clean(json) AS (
  SELECT count(*) = count(DISTINCT fullkey)
    AND bool_and(type <> 'DOUBLE' OR coalesce(isfinite(TRY_CAST(atom AS DOUBLE)), false))
    AND bool_and(type NOT IN ('OBJECT', 'ARRAY') OR depth_of(fullkey) < 64)
  FROM json_tree(json));

-- A number with `ok`, or nothing with a reason.
CREATE OR REPLACE TEMP MACRO fits(value, status) AS CASE
  WHEN status IS NULL OR json_type(status) = 'NULL' THEN value IS NULL OR json_type(value) = 'NULL'
  WHEN (status ->> '$') = 'ok' THEN
    json_type(value) IN ('BIGINT', 'UBIGINT', 'HUGEINT', 'DOUBLE')
    AND coalesce(isfinite(TRY_CAST(value AS DOUBLE)), false)
  ELSE (status ->> '$') IN ('no_data', 'unauthorized', 'unsupported')
    AND (value IS NULL OR json_type(value) = 'NULL') END;

SET VARIABLE required = (SELECT list(metric) FROM catalogue WHERE is_required);

-- A document as its members, and whether a reader can understand it (R41). What s3health writes is
-- canonical JSON (RFC 8785), so that the text without the digest is what the digest was made of: such
-- a document is well-formed throughout. Only the others are looked through value by value.
CREATE OR REPLACE TEMP MACRO documents_of(files) AS TABLE
WITH texts AS (
  SELECT filename AS file, size, try(decode(content)) AS text FROM read_blob(files)),
parsed AS (
  SELECT *, CASE WHEN json_valid(text) AND NOT starts_with(text, chr(65279)) THEN text::JSON END AS json
  FROM texts),
weighed AS (
  SELECT
    *, json ->> 'digest' AS digest,
    coalesce(
      digest = 'sha256:' || sha256(replace(text, '"digest":"' || digest || '",', '')), false) AS is_intact
  FROM parsed),
unclean AS (
  SELECT file FROM (SELECT file, json FROM weighed WHERE NOT is_intact) WHERE NOT is_clean(json))
SELECT
  file, json -> 'metrics' AS metrics, json -> 'metric_status' AS statuses,
  json -> 'metric_units' AS units, json ->> '$.day.timezone' AS timezone,
  moment_of(json ->> '$.day.start') AS day_start, moment_of(json ->> '$.day.end') AS day_end,
  moment_of(json ->> 'generated_at') AS generated_at, coalesce(json ->> 'date', '') AS document_date,
  digest IS NOT NULL AND NOT is_intact AS is_damaged,
  coalesce(
    size <= 65536 AND file NOT IN (FROM unclean)
    AND json_type(metrics) = 'OBJECT' AND json_type(statuses) = 'OBJECT'
    AND (json ->> 'schema_version') = 'health.v0'
    AND regexp_full_match(timezone, '[A-Za-z0-9_+/-]{1,64}')
    AND is_moment(json ->> '$.day.start') AND is_moment(json ->> '$.day.end')
    AND is_moment(json ->> 'generated_at') AND day_end > day_start
    AND list_bool_and(list_transform(
      getvariable('required'), lambda name: fits(metrics -> name, statuses -> name))),
    false) AS is_readable
FROM weighed;

-- First the greatest revision of each day, then the lesser ones of days where it can't be read.
SET VARIABLE newest = (
  SELECT coalesce(list(file), []) FROM revision_files WHERE place = 1);
CREATE OR REPLACE TEMP TABLE newest_documents AS
SELECT f.person, f.date, f.revision_id, d.*
FROM documents_of(getvariable('newest')) AS d JOIN revision_files AS f USING (file);

CREATE OR REPLACE TEMP TABLE hidden_days AS
SELECT person, date FROM newest_documents WHERE NOT (is_readable AND document_date = date);

SET VARIABLE lesser = (
  SELECT coalesce(list(file), [])
  FROM revision_files SEMI JOIN hidden_days USING (person, date)
  WHERE place > 1);
CREATE OR REPLACE TEMP TABLE lesser_documents AS
SELECT f.person, f.date, f.revision_id, d.*
FROM documents_of(getvariable('lesser')) AS d JOIN revision_files AS f USING (file);

CREATE OR REPLACE TEMP TABLE answers AS
SELECT DISTINCT ON (person, date) *
FROM (FROM newest_documents UNION ALL FROM lesser_documents)
WHERE is_readable AND document_date = date
ORDER BY person, date, revision_id DESC;

CREATE OR REPLACE VIEW unread_files AS
SELECT person, date, revision_id, file FROM (FROM newest_documents UNION ALL FROM lesser_documents)
WHERE NOT (is_readable AND document_date = date) ORDER BY ALL;

CREATE OR REPLACE VIEW unread_days AS
SELECT person, date FROM hidden_days ANTI JOIN answers USING (person, date) ORDER BY ALL;

-- A row for each metric of each day: each required one, and the optional ones that are there with
-- their own unit (R42). The number of a required metric is in its own unit, whatever is written.
CREATE OR REPLACE TEMP TABLE readings AS
WITH named AS (
  SELECT
    person, date::DATE AS date, metrics, statuses, units,
    unnest(list_distinct(list_concat(getvariable('required'), json_keys(metrics)))) AS metric
  FROM answers)
SELECT
  person, date, metric,
  CASE WHEN (statuses ->> metric) = 'ok' THEN TRY_CAST(metrics -> metric AS DOUBLE) END AS value,
  unit, coalesce(statuses ->> metric, 'no_data') AS status
FROM named JOIN catalogue USING (metric)
WHERE is_required
  OR ((statuses ->> metric) = 'ok' AND (units ->> metric) = unit
    AND fits(metrics -> metric, statuses -> metric) AND TRY_CAST(metrics -> metric AS DOUBLE) >= 0);

CREATE OR REPLACE TEMP TABLE days AS
SELECT * FROM (
  SELECT
    person, date::DATE AS date, revision_id, generated_at, timezone, day_start, day_end,
    is_damaged
  FROM answers)
LEFT JOIN (PIVOT (SELECT person, date, metric, value FROM readings) ON metric USING first(value))
USING (person, date) ORDER BY person, date;
