/** Features that Citus, CockroachDB or YugabyteDB lack, or run differently from PostgreSQL; each with a bad example. */
export const banned = {
  sequences: [
    /\b(big|small)?serial\b|\bautoincrement\b|\bsequence\b|\bnextval\b|\bgenerated\b.*\bidentity\b/,
    'create table t (id bigserial primary key)',
  ],
  triggers: [/\btrigger\b/, 'create trigger t before insert on models execute function f()'],
  procedures: [
    /\bcreate\s+(or\s+replace\s+)?(function|procedure)\b|\bcall\s+\w+\s*\(|\bdo\s+\$/,
    'create or replace function f() returns int as $$ select 1 $$ language sql',
  ],
  notifications: [/\b(un)?listen\s+\w|\bnotify\s+\w|pg_notify/, 'notify jobs'],
  'advisory locks': [/advisory/, 'select pg_advisory_lock(1)'],
  savepoints: [/\bsavepoint\b/, 'savepoint before_insert'],
  'skip locked': [/\bskip\s+locked\b/, 'select id from jobs for update skip locked'],
  'row locks': [/\bfor\s+(no\s+key\s+)?(update|share|key\s+share)\b/, 'select id from models for update'],
  'table locks': [/\block\s+table\b|\block\s+\w+\s+in\b/, 'lock table models in exclusive mode'],
  enums: [/\bcreate\s+type\b|\balter\s+type\b|\benum\b/, "create type mood as enum ('happy')"],
  arrays: [/\barray\s*\[|\w\[\]|\bunnest\b|\bany\s*\(|\barray_agg\b/, 'select id from models where id = any ($1)'],
  partitions: [/\bpartition\s+(by|of)\b/, 'create table t (id int) partition by range (id)'],
  inheritance: [/\binherits\b/, 'create table t (id int) inherits (s)'],
  'deferred constraints': [
    /\bdeferrable\b|\binitially\s+deferred\b/,
    'alter table t add constraint c unique (a) deferrable',
  ],
  'exclusion constraints': [/\bexclude\s+using\b|\busing\s+gist\b/, 'alter table t add exclude using gist (a with &&)'],
  'covering indexes': [/\binclude\s*\(/, 'create index i on t (a) include (b)'],
  'stored columns': [/\bstored\b/, 'create table t (a int, b int generated always as (a) stored)'],
  'case-insensitive text': [/\bcitext\b/, 'create table t (email citext)'],
  'json operators': [/->>?|@>|\bjsonb\b/, "select body->>'a' from events"],
  'temporary tables': [
    /\btemp(orary)?\s+(table|view|sequence)\b|\bunlogged\b|\bon\s+commit\s+(drop|delete)\b/,
    'create temporary table t (a int)',
  ],
  'two-phase commits': [/\bprepare\s+transaction\b|\b(commit|rollback)\s+prepared\b/, "prepare transaction 'a'"],
  'shared snapshots': [/\bset\s+transaction\s+snapshot\b|pg_export_snapshot/, 'select pg_export_snapshot()'],
  cursors: [/\bdeclare\s+\w+\b.*\bcursor\b|\bcurrent\s+of\b/, 'declare c cursor for select id from models'],
  'physical places of rows': [/\b(ctid|xmin|xmax|cmin|cmax|tableoid)\b/, 'select ctid from models'],
  'settings of the session': [/\bset\s+session\b|\bset_config\b/, "select set_config('a.b', $1, false)"],
  'rules and policies': [
    /\bcreate\s+(or\s+replace\s+)?rule\b|\bcreate\s+policy\b|\brow\s+level\s+security\b/,
    'create policy p on models using (a)',
  ],
  'materialized views': [/\bmaterialized\s+view\b/, 'create materialized view v as select 1'],
  'indexes other than B-trees': [/\busing\s+(hash|brin|spgist)\b/, 'create index i on t using brin (a)'],
  'foreign tables': [/\bforeign\s+(table|data)\b|\bdblink\b/, 'create foreign table t (a int) server s'],
  'large objects': [/\blo_\w+\s*\(/, 'select lo_create(0)'],
  domains: [/\bcreate\s+domain\b/, 'create domain d as text'],
  merges: [/\bmerge\s+into\b/, 'merge into t using s on t.a = s.a when matched then delete'],
  copying: [/^\s*copy\s/, 'copy models from stdin'],
  truncating: [/\btruncate\b/, 'truncate models'],
  'several writes in one statement': [
    /\bwith\b[\s\S]*\b(insert\s+into|update|delete\s+from)\b[\s\S]*\b(insert\s+into|update|delete\s+from)\b/,
    'with a as (delete from t returning id) insert into s select id from a',
  ],
  'replacing whole rows': [/\binsert\s+or\s+\w+|\breplace\s+into\b/, 'insert or replace into t values (1)'],
  // The one place where the engines differ: listed rows are found with the full-text search that the engine has. Without any, search
  // falls back to `like`.
  'full-text search of anything but what is listed': [
    /\bvirtual\s+table\b|\bmatch\b|\btsvector\b|\btsquery\b|@@|\busing\s+gin\b|_trgm\b|\bextension\b/,
    'select rowid from models_words where models_words match $1',
  ],
} as const satisfies Record<string, readonly [RegExp, string]>

const isOfListed = (statement: string) =>
  /\blisted_(models|providers)(_words|_parts)?\b/.test(statement) ||
  statement === 'create extension if not exists pg_trgm'

/** The forbidden names in a statement; quoted texts are ignored. */
export const judge = (statement: string): string[] => {
  const bare = statement.toLowerCase().replace(/'(?:[^']|'')*'/g, "''")
  const found = Object.entries(banned).flatMap(([name, [pattern]]) =>
    pattern.test(name === 'json operators' || name === 'enums' ? statement.toLowerCase() : bare) ? [name] : [],
  )
  const allowed = isOfListed(bare) ? found.filter((name) => !name.startsWith('full-text search')) : found
  return [...allowed, ...keyTrouble(bare)]
}

/** Tables that are looked up by another key before the owner is known. */
const foundOtherwise = /^create table "(identities|one_time_tokens)"/

/** In a table of provider-owned rows, `provider_id` leads the primary key, so that it can be sharded by it. */
const keyTrouble = (statement: string): string[] => {
  if (!/^create table/.test(statement) || !/"?\bprovider_id\b"?/.test(statement)) return []
  return /primary key \("?provider_id"?[,)]/.test(statement) || foundOtherwise.test(statement)
    ? []
    : ['a key that does not begin with provider_id']
}

/** What is not portable in the statements that ran, with the statement. */
export const troubleIn = (statements: readonly string[]): string[] =>
  statements.flatMap((statement) => judge(statement).map((name) => `${name}: ${statement}`))
