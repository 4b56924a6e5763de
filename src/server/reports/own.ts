import { and, asc, eq, inArray, ne } from 'drizzle-orm'
import { answerInWords } from '../../domain/reports/answer-words.ts'
import { personalAnswers } from '../../domain/reports/answers.ts'
import { isAsked, sectionsOf } from '../../domain/reports/progress.ts'
import { sheetLabels, sheetStateFacts } from '../../domain/reports/report.ts'
import type { Db, Tx } from '../platform/database/database.ts'
import { appointments } from '../platform/database/schema/appointment-schema.ts'
import { faults, sheetAnswers, sheets } from '../platform/database/schema/sheet-schema.ts'
import { answersOf } from './prefilled.ts'

/** What was written of somebody's home and is theirs to read, sheet by sheet, by the words of its questions. */
export async function ownReports(db: Db, customerId: string) {
  const found = await db
    .select({ sheet: sheets, folio: appointments.folio })
    .from(sheets)
    .innerJoin(appointments, eq(appointments.id, sheets.appointmentId))
    .where(and(eq(appointments.customerId, customerId), ne(sheets.state, 'draft')))
    .orderBy(asc(sheets.submittedAt))
  return Promise.all(
    found.map(async ({ folio, sheet }) => ({
      Folio: folio,
      Documento: sheetLabels[sheet.kind],
      Estado: sheetStateFacts[sheet.state].label,
      Enviado: sheet.submittedAt,
      'Garantía hasta': sheet.warrantyUntil,
      ...(await answersInWords(db, sheet)),
    })),
  )
}

async function answersInWords(db: Db, { appointmentId, kind }: typeof sheets.$inferSelect) {
  const answers = await answersOf(db, appointmentId)
  return Object.fromEntries(
    sectionsOf[kind]
      .flatMap(({ questions }) => questions)
      .filter((question) => isAsked(question, answers))
      .map((question) => [question.label, answerInWords(question, answers[question.name])]),
  )
}

/** Of somebody who left, their name and numbers go; what was found and done at the home stays, as of every visit. */
export async function forgetReports(tx: Tx, customerId: string): Promise<void> {
  const theirs = tx
    .select({ id: appointments.id })
    .from(appointments)
    .where(eq(appointments.customerId, customerId))
  await tx
    .delete(sheetAnswers)
    .where(and(inArray(sheetAnswers.appointmentId, theirs), inArray(sheetAnswers.name, [...personalAnswers])))
  await tx.update(faults).set({ description: '–' }).where(eq(faults.customerId, customerId))
}
