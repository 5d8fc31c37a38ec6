"""What the catalogue of a database grants, to whom and on what: the whole of it, as (grantee, object, verb).

Effective rights of every role of ours (through memberships and PUBLIC too), each entry somebody was granted beside
them, and what is neither table nor function but opens one: role options, memberships, owners and policies.
"""

from __future__ import annotations

from typing import Any

import psycopg

GROUPS = ("agent", "inspector", "cashier", "manager", "service", "backup", "staff_admin")
PUBLIC = "public"
VERBS = ("SELECT", "INSERT", "UPDATE", "DELETE", "TRUNCATE", "REFERENCES", "TRIGGER", "MAINTAIN")
OPTIONS = ("SUPERUSER", "CREATEROLE", "CREATEDB", "REPLICATION", "BYPASSRLS", "NOINHERIT", "LOGIN", "pg_signal_backend")
"""Role options, and the one membership outside that a role of ours has."""
COLUMN_VERBS = ("SELECT", "INSERT", "UPDATE", "REFERENCES")
HARNESS = {"driven_clock"}
"""The clock of a test's database is no part of the product."""

Right = tuple[str, str, str]
"""Grantee without the prefix, object, verb."""

_TABLES = """
SELECT r.role, 'table ' || c.relname, v.verb
FROM pg_class AS c, unnest(%(roles)s::text[], %(names)s::text[]) AS r (role, name),
     unnest(%(verbs)s::text[]) AS v (verb)
WHERE c.relnamespace = 'sentra'::regnamespace AND c.relkind IN ('r', 'p', 'v', 'm', 'f')
  AND has_table_privilege(r.name, c.oid, v.verb)
"""
# Columns of tables that the role may not use whole: a right on the table is one on every column.
_COLUMNS = """
SELECT r.role, 'column ' || c.relname || '.' || a.attname, v.verb
FROM pg_class AS c JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped,
     unnest(%(roles)s::text[], %(names)s::text[]) AS r (role, name), unnest(%(column_verbs)s::text[]) AS v (verb)
WHERE c.relnamespace = 'sentra'::regnamespace AND c.relkind IN ('r', 'p', 'v', 'm', 'f')
  AND NOT has_table_privilege(r.name, c.oid, v.verb) AND has_column_privilege(r.name, c.oid, a.attnum, v.verb)
"""
_FUNCTIONS = """
SELECT r.role, 'function ' || p.proname, 'EXECUTE'
FROM pg_proc AS p, unnest(%(roles)s::text[], %(names)s::text[]) AS r (role, name)
WHERE p.pronamespace = 'sentra'::regnamespace AND has_function_privilege(r.name, p.oid, 'EXECUTE')
"""
_SEQUENCES = """
SELECT r.role, 'sequence ' || c.relname, v.verb
FROM pg_class AS c, unnest(%(roles)s::text[], %(names)s::text[]) AS r (role, name),
     unnest(ARRAY['SELECT', 'USAGE', 'UPDATE']) AS v (verb)
WHERE c.relnamespace = 'sentra'::regnamespace AND c.relkind = 'S' AND has_sequence_privilege(r.name, c.oid, v.verb)
"""
_PLACES = """
SELECT r.role, 'schema ' || n.nspname, v.verb
FROM pg_namespace AS n, unnest(%(roles)s::text[], %(names)s::text[]) AS r (role, name),
     unnest(ARRAY['USAGE', 'CREATE']) AS v (verb)
WHERE n.nspname IN ('sentra', 'public') AND has_schema_privilege(r.name, n.oid, v.verb)
UNION ALL
SELECT r.role, 'database', v.verb
FROM unnest(%(roles)s::text[], %(names)s::text[]) AS r (role, name),
     unnest(ARRAY['CONNECT', 'CREATE', 'TEMPORARY']) AS v (verb)
WHERE has_database_privilege(r.name, current_database(), v.verb)
"""
# Entries that no role above shows: to a person's own login or a stranger, and the right to pass a right on.
_ENTRIES = """
WITH entry AS (
    SELECT CASE c.relkind WHEN 'S' THEN 'sequence ' ELSE 'table ' END || c.relname AS object, c.relowner AS owner, x.*
    FROM pg_class AS c, aclexplode(c.relacl) AS x WHERE c.relnamespace = 'sentra'::regnamespace
    UNION ALL
    SELECT 'column ' || c.relname || '.' || a.attname, c.relowner, x.*
    FROM pg_class AS c JOIN pg_attribute AS a ON a.attrelid = c.oid, aclexplode(a.attacl) AS x
    WHERE c.relnamespace = 'sentra'::regnamespace
    UNION ALL
    SELECT 'function ' || p.proname, p.proowner, x.*
    FROM pg_proc AS p, aclexplode(p.proacl) AS x WHERE p.pronamespace = 'sentra'::regnamespace
    UNION ALL
    SELECT 'schema ' || n.nspname, n.nspowner, x.* FROM pg_namespace AS n, aclexplode(n.nspacl) AS x
    WHERE n.nspname = 'sentra'
    UNION ALL
    SELECT 'database', d.datdba, x.* FROM pg_database AS d, aclexplode(d.datacl) AS x
    WHERE d.datname = current_database()
    UNION ALL
    SELECT 'default of ' || d.defaclobjtype::text, d.defaclrole, x.*
    FROM pg_default_acl AS d, aclexplode(d.defaclacl) AS x
)
SELECT CASE e.grantee WHEN 0 THEN 'PUBLIC' ELSE e.grantee::regrole::text END, e.object,
       e.privilege_type || CASE WHEN e.is_grantable THEN ' WITH GRANT OPTION' ELSE '' END
FROM entry AS e
WHERE e.grantee <> e.owner AND (e.is_grantable OR NOT (
    e.grantee = 0 OR e.grantee::regrole::text = ANY (%(names)s::text[])))
"""
_OWNERS = """
SELECT o.owner::regrole::text, o.object, 'OWNER'
FROM (SELECT 'table ' || c.relname AS object, c.relowner AS owner FROM pg_class AS c
      WHERE c.relnamespace = 'sentra'::regnamespace AND c.relkind IN ('r', 'p', 'v', 'm', 'f', 'S')
      UNION ALL
      SELECT 'function ' || p.proname, p.proowner FROM pg_proc AS p WHERE p.pronamespace = 'sentra'::regnamespace
      UNION ALL
      SELECT 'schema ' || n.nspname, n.nspowner FROM pg_namespace AS n WHERE n.nspname = 'sentra') AS o
WHERE o.owner::regrole::text <> %(owner)s
"""
# What opens a way around the schema: a setting that switches the triggers off, a right on PostgreSQL's own tables and
# functions that it does not come with, and anything that stands in another schema.
_AROUND = """
WITH entry AS (
    SELECT 'parameter ' || p.parname AS object, x.grantee, x.privilege_type, false AS is_first
    FROM pg_parameter_acl AS p, aclexplode(p.paracl) AS x
    UNION ALL
    SELECT 'table ' || c.oid::regclass, x.grantee, x.privilege_type, EXISTS (
        SELECT FROM pg_init_privs AS i, aclexplode(i.initprivs) AS f
        WHERE i.objoid = c.oid AND i.classoid = 'pg_class'::regclass AND i.objsubid = 0
          AND (f.grantee, f.privilege_type) = (x.grantee, x.privilege_type))
        OR (n.nspname, x.grantee, x.privilege_type) = ('information_schema', 0, 'SELECT')
    FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace, aclexplode(c.relacl) AS x
    WHERE n.nspname IN ('pg_catalog', 'information_schema')
    UNION ALL
    SELECT 'column ' || c.oid::regclass || '.' || a.attname, x.grantee, x.privilege_type, EXISTS (
        SELECT FROM pg_init_privs AS i, aclexplode(i.initprivs) AS f
        WHERE i.objoid = c.oid AND i.classoid = 'pg_class'::regclass AND i.objsubid = a.attnum
          AND (f.grantee, f.privilege_type) = (x.grantee, x.privilege_type))
    FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
    JOIN pg_attribute AS a ON a.attrelid = c.oid, aclexplode(a.attacl) AS x
    WHERE n.nspname IN ('pg_catalog', 'information_schema')
    UNION ALL
    SELECT 'function ' || p.proname, x.grantee, x.privilege_type, x.grantee = 0
    FROM pg_proc AS p JOIN pg_namespace AS n ON n.oid = p.pronamespace, aclexplode(p.proacl) AS x
    WHERE n.nspname IN ('pg_catalog', 'information_schema')
)
SELECT CASE e.grantee WHEN 0 THEN 'PUBLIC' ELSE e.grantee::regrole::text END, e.object, e.privilege_type
FROM entry AS e
WHERE NOT e.is_first AND (e.grantee = 0 OR starts_with(e.grantee::regrole::text, %(prefix)s || '_'))
UNION ALL
SELECT 'everybody', 'schema ' || n.nspname, 'BESIDE OURS' FROM pg_namespace AS n
WHERE n.nspname NOT IN ('sentra', 'public', 'information_schema') AND NOT starts_with(n.nspname, 'pg_')
UNION ALL
SELECT 'everybody', o.kind || n.nspname || '.' || o.name, 'BESIDE OURS'
FROM (SELECT 'function ' AS kind, p.proname AS name, p.pronamespace AS place, p.oid, 'pg_proc'::regclass AS class
      FROM pg_proc AS p
      UNION ALL
      SELECT 'table ', c.relname, c.relnamespace, c.oid, 'pg_class'::regclass FROM pg_class AS c) AS o
JOIN pg_namespace AS n ON n.oid = o.place
WHERE n.nspname NOT IN ('sentra', 'information_schema') AND NOT starts_with(n.nspname, 'pg_')
  AND NOT EXISTS (SELECT FROM pg_depend AS d WHERE d.classid = o.class AND d.objid = o.oid AND d.deptype = 'e')
"""
# A definer function runs with its owner's rights: which there are is part of the matrix, and each must fix its path.
_DEFINERS = """
SELECT 'definer', 'function ' || p.proname,
       coalesce((SELECT s FROM unnest(p.proconfig) AS s WHERE s LIKE 'search_path=%%'), 'no search_path')
FROM pg_proc AS p WHERE p.pronamespace = 'sentra'::regnamespace AND p.prosecdef
"""
_ROLES = """
SELECT r.rolname, 'role', o.option
FROM pg_roles AS r, LATERAL (VALUES ('SUPERUSER', r.rolsuper), ('CREATEROLE', r.rolcreaterole),
    ('CREATEDB', r.rolcreatedb), ('REPLICATION', r.rolreplication), ('BYPASSRLS', r.rolbypassrls),
    ('NOINHERIT', NOT r.rolinherit), ('LOGIN', r.rolcanlogin AND r.rolname = ANY (%(names)s::text[] || %(owner)s::text))
    ) AS o (option, given)
WHERE starts_with(r.rolname, %(prefix)s || '_') AND o.given
UNION ALL
SELECT m.member::regrole::text, 'role', 'MEMBER OF ' || m.roleid::regrole
       || CASE WHEN m.admin_option THEN ' WITH ADMIN' ELSE '' END || CASE WHEN m.set_option THEN ' WITH SET' ELSE '' END
FROM pg_auth_members AS m
WHERE m.grantor IN (SELECT g.oid FROM pg_roles AS g WHERE g.rolsuper OR starts_with(g.rolname, %(prefix)s || '_'))
  AND (starts_with(m.member::regrole::text, %(prefix)s || '_')
       OR starts_with(m.roleid::regrole::text, %(prefix)s || '_'))
"""
_POLICIES = """
SELECT g.role, 'policy ' || c.relname,
       CASE p.polcmd WHEN 'r' THEN 'SELECT' WHEN 'a' THEN 'INSERT' WHEN 'w' THEN 'UPDATE' WHEN 'd' THEN 'DELETE'
                     ELSE 'ALL' END
       || CASE WHEN pg_get_expr(p.polqual, p.polrelid) = 'true' OR (p.polqual IS NULL AND p.polcmd <> 'a')
               THEN ' of every row'
               WHEN pg_get_expr(p.polqual, p.polrelid) = '(branch_id = ( SELECT sentra.my_branch() AS my_branch))'
               THEN ' of its branch' ELSE ' of some rows' END
FROM pg_policy AS p JOIN pg_class AS c ON c.oid = p.polrelid,
     LATERAL (SELECT CASE x.id WHEN 0 THEN 'PUBLIC' ELSE x.id::regrole::text END AS role
              FROM unnest(p.polroles) AS x (id)) AS g
WHERE c.relnamespace = 'sentra'::regnamespace
UNION ALL
SELECT 'everybody', 'policy ' || c.relname, 'ROW SECURITY' FROM pg_class AS c
WHERE c.relnamespace = 'sentra'::regnamespace AND c.relrowsecurity
"""


def effective(connection: psycopg.Connection[tuple[Any, ...]], prefix: str) -> set[Right]:
    """What each role of ours, and everybody, can do to tables, columns, functions, sequences, schema and database."""
    return _found(connection, prefix, _TABLES, _COLUMNS, _FUNCTIONS, _SEQUENCES, _PLACES)


def beside(connection: psycopg.Connection[tuple[Any, ...]], prefix: str) -> set[Right]:
    """Entries to anybody who is none of our roles, rights that may be passed on, defaults, strange owners, and ways
    around the schema."""
    return _found(connection, prefix, _ENTRIES, _OWNERS, _AROUND)


def definers(connection: psycopg.Connection[tuple[Any, ...]], prefix: str) -> set[Right]:
    """The functions that run with their owner's rights, and the search path they fix."""
    return _found(connection, prefix, _DEFINERS)


def of_roles(connection: psycopg.Connection[tuple[Any, ...]], prefix: str) -> set[Right]:
    """Options and memberships of every role of this installation."""
    return _found(connection, prefix, _ROLES)


def policies(connection: psycopg.Connection[tuple[Any, ...]], prefix: str) -> set[Right]:
    """Who sees which rows where row-level security is on."""
    return _found(connection, prefix, _POLICIES)


def everything(connection: psycopg.Connection[tuple[Any, ...]], prefix: str) -> set[Right]:
    """All of the above."""
    return (
        effective(connection, prefix)
        | beside(connection, prefix)
        | definers(connection, prefix)
        | of_roles(connection, prefix)
        | policies(connection, prefix)
    )


def _found(connection: psycopg.Connection[tuple[Any, ...]], prefix: str, *statements: str) -> set[Right]:
    roles = [*GROUPS, PUBLIC]
    given = {
        "roles": roles,
        "names": [PUBLIC if role == PUBLIC else f"{prefix}_{role}" for role in roles],
        "verbs": list(VERBS),
        "column_verbs": list(COLUMN_VERBS),
        "owner": f"{prefix}_owner",
        "prefix": prefix,
    }
    found: set[Right] = set()
    for statement in statements:
        for who, what, verb in connection.execute(statement.encode(), given):
            name = what.split(" ", 1)[-1].split(".")[0]
            if name not in HARNESS:
                found.add((str(who).removeprefix(f"{prefix}_"), str(what), str(verb).replace(f"{prefix}_", "")))
    return found
