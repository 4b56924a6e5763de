import { type AnyColumn, and, eq, isNull, or, type SQL, sql } from 'drizzle-orm'
import { type Actor, isCustomer } from '../access/rules/actor.ts'
import { isNotDeleted } from '../accounts/privacy.ts'
import { managesCases, readsCases } from '../cfe/rules/case.ts'
import { loadIncreaseQuestions } from '../cfe/rules/papers.ts'
import { listed } from '../platform/database/lists.ts'
import { cfeCases } from '../platform/database/schema/cfe.ts'

const seenAs: Record<'all' | 'own' | 'none', (actor: Actor) => SQL | undefined> = {
  all: (actor) => (managesCases(actor) ? undefined : isNotDeleted(cfeCases.customerId)),
  // Any gester may take an unassigned case.
  own: ({ id }) =>
    and(or(eq(cfeCases.gesterId, id), isNull(cfeCases.gesterId)), isNotDeleted(cfeCases.customerId)),
  none: () => sql`false`,
}

/** The cases an actor may see. For all other actors they do not exist. */
export const casesVisibleTo = (actor: Actor): SQL | undefined =>
  isCustomer(actor) ? eq(cfeCases.customerId, actor.id) : seenAs[readsCases[actor.kind]](actor)

/** Answers of a report that ask for paperwork with CFE, as `caseNeededBy` says; the index sheet_answers_need_paperwork has these. */
export const asksForPaperwork = (answers: string) => {
  const name = sql.raw(`${answers}.name`)
  const value = sql.raw(`${answers}.value`)
  return sql`((${name} = 'meterChoice' and ${value} = '"second"') or (${name} in (${listed(loadIncreaseQuestions)}) and ${value} = 'true'))`
}

/** Of a project that has, or had, a case with CFE. */
export const hasCase = (projectId: AnyColumn): SQL =>
  sql`${projectId} in (select cfe_cases.project_id from cfe_cases)`

/** Of a project that has a case, or whose visit's report asks for one. */
export const hasOrNeedsCase = (projectId: AnyColumn): SQL =>
  sql`${projectId} in (select cfe_cases.project_id from cfe_cases union all
    select needing.project_id from appointments needing join sheet_answers answer on answer.appointment_id = needing.id
    where needing.state = 'done' and needing.project_id is not null and ${asksForPaperwork('answer')})`
