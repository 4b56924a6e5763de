import { type AnyColumn, type SQL, sql } from 'drizzle-orm'

/** Answers of a report that ask for paperwork with CFE, as `caseNeededBy` says; the index sheet_answers_need_paperwork has these. */
export const asksForPaperwork = (answers: string) => {
  const [name, value] = [sql.raw(`${answers}.name`), sql.raw(`${answers}.value`)]
  return sql`((${name} = 'meterChoice' and ${value} = '"second"') or (${name} in ('loadIncrease', 'needsUvie') and ${value} = 'true'))`
}

/** Of a project that has, or had, a case with CFE. */
export const hasCase = (projectId: AnyColumn): SQL =>
  sql`${projectId} in (select cfe_cases.project_id from cfe_cases)`

/** Of a project that has a case, or whose visit's report asks for one. */
export const hasOrNeedsCase = (projectId: AnyColumn): SQL =>
  sql`${projectId} in (select cfe_cases.project_id from cfe_cases union all
    select needing.project_id from appointments needing join sheet_answers answer on answer.appointment_id = needing.id
    where needing.state = 'done' and needing.project_id is not null and ${asksForPaperwork('answer')})`
