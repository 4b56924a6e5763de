import { createHash } from 'node:crypto'
import { and, eq, type SQL, sql } from 'drizzle-orm'
import type { Actor } from '../../domain/access/actor.ts'
import { prepared, type Tx } from '../platform/database/database.ts'
import { appointments } from '../platform/database/schema/appointment-schema.ts'
import { projects } from '../platform/database/schema/project-schema.ts'
import { visibleTo } from './visible.ts'

const held = (seen: SQL | undefined, name: string) =>
  prepared((tx) =>
    tx
      .select({ appointment: appointments })
      .from(appointments)
      .innerJoin(projects, eq(projects.id, appointments.projectId))
      .where(and(eq(appointments.id, sql.placeholder('id')), seen))
      .for('update', { of: appointments })
      .prepare(name),
  )

const holding = new Map<string, ReturnType<typeof held>>()

/** The row, held, as far as an actor may see it: one form of the question for each kind of actor, planned once. */
export function heldRow(tx: Tx, actor: Actor | 'system', id: string) {
  if (actor === 'system')
    return formOf(holding, 'held_system', (name) => held(undefined, name))(tx).execute({ id })
  const { agencyId, kind, role } = actor
  const form = formOf(holding, `held_${kind ?? role}${agencyId ? '_of_agency' : ''}`, (name) =>
    held(visibleTo(withPlaceholders(actor)), name),
  )
  return form(tx).execute({ id, actorId: actor.id, agencyId })
}

/** Whoever it is comes with each question. */
const withPlaceholders = (actor: Actor) =>
  ({
    ...actor,
    id: sql.placeholder('actorId') as unknown,
    agencyId: actor.agencyId && (sql.placeholder('agencyId') as unknown),
  }) as Actor

type Values = readonly (readonly [column: string, value: unknown])[]

const updated = (values: Values, name: string) =>
  prepared((tx) =>
    tx
      .update(appointments)
      .set({
        // Nothing to fill in where there is nothing: a column's own encoding does not know it.
        ...Object.fromEntries(
          values.map(([column, value]) => [column, value === null ? null : sql.placeholder(column)]),
        ),
        version: sql`${appointments.version} + 1`,
      })
      .where(eq(appointments.id, sql.placeholder('rowId')))
      .returning()
      .prepare(name),
  )

const updating = new Map<string, ReturnType<typeof updated>>()

/** Writes a row's next version: one form for each set of columns, planned once. */
export function updatedRow(tx: Tx, id: string, set: Partial<typeof appointments.$inferInsert>) {
  const values = Object.entries({ ...set, updatedAt: new Date() }).filter(([, value]) => value !== undefined)
  const form = values.map(([column, value]) => (value === null ? `${column} null` : column)).join()
  return formOf(updating, form, () => updated(values, `written_${digestOf(form)}`))(tx).execute({
    ...Object.fromEntries(values),
    rowId: id,
  })
}

// A name may hold 63 characters.
const digestOf = (form: string) => createHash('sha256').update(form).digest('base64url')

function formOf<Form>(known: Map<string, Form>, key: string, make: (key: string) => Form): Form {
  const form = known.get(key) ?? make(key)
  known.set(key, form)
  return form
}
