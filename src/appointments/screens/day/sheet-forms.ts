import { randomUUID } from 'node:crypto'
import { redirect } from 'react-router'
import { reviewPermit } from '../../../cfe/permit.ts'
import { redirectWithToast } from '../../../kit/flash.ts'
import { type LoaderContext, signedIn } from '../../../kit/request.ts'
import { form } from '../../../kit/submit.ts'
import { type AnswerConflict, type Saved, saveAnswers } from '../../../reports/answers.ts'
import { storeFile } from '../../../reports/photo-upload.ts'
import { sheetFor } from '../../../reports/queries.ts'
import { approveSheet, askForReport, returnSheet } from '../../../reports/review.ts'
import { answerInWords } from '../../../reports/rules/answer-words.ts'
import { redoOf } from '../../../reports/rules/answers.ts'
import { isAsked, questionOf } from '../../../reports/rules/progress.ts'
import { proposalsIn } from '../../../reports/rules/proposals.ts'
import type { Answers, Section, Sheet } from '../../../reports/rules/report.ts'
import { reviewInput, sheetInput } from '../../../reports/rules/schema.ts'
import { typedFor } from '../../../reports/screens/loads/typed-loads.ts'
import { reportSectionPath, sectionOf, sectionWith, sendValue } from '../../../reports/screens/sheet-path.ts'
import { submitSheet } from '../../../reports/submit.ts'
import { dateTime } from '../../../shared/format.ts'
import { Refusal, refuse } from '../../../shared/refusal.ts'
import type { AppointmentState } from '../../rules/appointment.ts'
import { whileHere } from '../pending-server.ts'

/** The screen that a report is on, and the states of the appointments that have it. */
type Screen = { here: string; states: readonly AppointmentState[] }

/** The forms of a report on a page without JavaScript: a section with all its fields, a picture, and what sends it. */
export function sheetForms(context: LoaderContext, id: string, { here, states }: Screen) {
  const there = { context, id, states }
  return {
    section: form(sheetInput.section, ({ section, next }, { values }) =>
      whileHere(there, typedIn(values), async () => {
        const shown = await keepSection(context, id, { ...values, section, next })
        return next === sendValue ? send(context, id) : redirect(`${here}${reportSectionPath(shown)}`, 303)
      }),
    ),
    photo: form(sheetInput.photo, (photo, { file }) =>
      whileHere(there, photo.keptBecause, () =>
        keepPicture(context, id, { ...photo, picture: file('photo') }, here),
      ),
    ),
    submit: form(sheetInput.submit, () => send(context, id)),
  }
}

/** What the user wrote in a section. */
const typedIn = (sent: Readonly<Record<string, string>>) =>
  Object.entries(sent)
    .filter(([name, typed]) => typed && !/^(formKey|intent|section|next|confirm|revision\..*)$/.test(name))
    .map(([, typed]) => typed)
    .join(', ')

type Photo = { slot: string; keptBecause: string | null; picture: File | null }

/** Saves a picture in its slot, and redirects to where it is shown; `here` is the screen of its appointment. */
async function keepPicture(
  context: LoaderContext,
  id: string,
  { slot, keptBecause, picture }: Photo,
  here: string,
): Promise<Response> {
  const { db, actor, now, drive } = signedIn(context)
  const sheet = (await sheetFor(db, actor, id)) ?? refuse('not-found')
  if (!picture?.size) return refuse('invalid-argument', undefined, { errors: { photo: 'Elige una foto.' } })
  const incoming = { id: randomUUID(), appointmentId: id, slot, keptBecause, capturedAt: now, sha256: null }
  await storeFile(db, drive, actor, { ...incoming, body: picture.stream() }, now)
  const section = sectionWith(sheet.kind, slot)
  return redirect(section ? `${here}${reportSectionPath(section.id, slot)}` : here, 303)
}

async function send(context: LoaderContext, id: string): Promise<Response> {
  const now = new Date()
  const { db, actor } = signedIn(context)
  await submitSheet(db, actor, id, { at: now, note: null }, now)
  return redirectWithToast(
    `/admin/appointments-done/${id}`,
    'Listo, ya lo enviaste',
    'Te avisamos cuando lo revisen.',
  )
}

type SectionSent = Readonly<Record<string, string>> & { section: string; next: string }

/** Saves what is valid of a section; returns the section to go to, which is the same one where it now asks more. */
async function keepSection(context: LoaderContext, id: string, sent: SectionSent): Promise<string> {
  const { db, actor, now } = signedIn(context)
  const sheet = await sheetFor(db, actor, id)
  // Called without answers, it refuses with the reason why there is no report to write.
  if (!sheet) await saveAnswers(db, actor, id, [], now)
  if (!sheet) return refuse('not-found')
  const section = sectionOf(sheet.kind, sent.section) ?? refuse('invalid-argument')
  const asked = section.questions.filter(({ name }) => sent[`revision.${name}`] !== undefined)
  const changes = asked.map((question) => ({
    name: question.name,
    value: typedFor(question, sent),
    at: now,
    base: Number(sent[`revision.${question.name}`]),
  }))
  refuseLost(sheet, await saveAnswers(db, actor, id, changes, now))
  const after = (await sheetFor(db, actor, id)) ?? refuse('not-found')
  if (sent.confirm) await confirmProposals(context, id, section, after)
  return (asksMore(section, sheet, after) ? null : sectionOf(sheet.kind, sent.next))?.id ?? section.id
}

/** The proposals that stand beside the answers just sent become answers, as by a tap where there is JavaScript. */
async function confirmProposals(context: LoaderContext, id: string, section: Section, sheet: Sheet) {
  const { db, actor, now: at } = signedIn(context)
  const proposals = proposalsIn(sheet.kind, section, valuesOf(sheet))
  const changes = Object.entries(proposals).map(([name, value]) => {
    return { name, value, at, base: sheet.answers[name]?.revision ?? 0 }
  })
  if (changes.length > 0) await saveAnswers(db, actor, id, changes, at)
}

const valuesOf = ({ answers }: Sheet): Answers =>
  Object.fromEntries(Object.entries(answers).map(([name, { value }]) => [name, value]))

function asksMore({ questions }: Section, before: Sheet, after: Sheet): boolean {
  const then = valuesOf(before)
  const now = valuesOf(after)
  return questions.some((question) => isAsked(question, now) && !isAsked(question, then))
}

/**
 * Says under each field what was not saved: what was typed is invalid, or the office wrote another answer meanwhile.
 */
function refuseLost({ kind }: Sheet, { conflicts, refused }: Saved): void {
  const wrong = refused.map(({ name, message }) => [name, message] as const)
  const overtaken = conflicts.map(({ name, value, by, at }) => {
    const question = questionOf(kind, name)
    const words = (question && answerInWords(question, value)) ?? 'sin respuesta'
    return [
      name,
      `${by ?? 'La oficina'} escribió «${words}» el ${dateTime(at)} Si guardas otra vez, queda lo tuyo.`,
    ] as const
  })
  if (wrong.length + overtaken.length === 0) return
  throw new Refusal(overtaken.length > 0 ? 'aborted' : 'invalid-argument', {
    ...(overtaken.length === 0 && { title: 'Revisa lo marcado', description: 'Lo demás ya quedó guardado.' }),
    details: { errors: Object.fromEntries([...wrong, ...overtaken]) },
  })
}

/** The forms by which a report is approved or returned, or one of its answers corrected. */
export function reviewForms(context: LoaderContext, id: string) {
  const { db, actor, now } = signedIn(context)
  const here = `/admin/appointments-done/${id}`
  return {
    'approve-sheet': form(reviewInput['approve-sheet'], async ({ next, ...input }) => {
      await approveSheet(db, actor, id, input, now)
      if (next === 'quote')
        return redirectWithToast(
          `/admin/cotizations/add-quote/${id}`,
          'Aprobado',
          'Sus partidas salen de este reporte.',
        )
      return redirectWithToast(here, 'Aprobado', 'Ya se puede cotizar o cerrar con estos datos.')
    }),
    'return-sheet': form(reviewInput['return-sheet'], async (input) => {
      await returnSheet(db, actor, id, { ...input, redo: redoOf(input) }, now)
      return redirectWithToast(here, 'Reporte devuelto', 'Le avisamos a su técnico por correo.')
    }),
    'correct-answer': form(reviewInput['correct-answer'], async ({ name, base }, { values }) => {
      const sheet = (await sheetFor(db, actor, id)) ?? refuse('not-found')
      const question = questionOf(sheet.kind, name) ?? refuse('not-found')
      const change = { name, base, value: typedFor(question, values), at: now }
      const { conflicts, refused } = await saveAnswers(db, actor, id, [change], now)
      if (refused[0])
        refuse('invalid-argument', refused[0].message, { errors: { [name]: refused[0].message } })
      if (conflicts[0]) overtaken(conflicts[0], answerInWords(question, conflicts[0].value))
      // Back to its place, with the focus.
      return redirectWithToast(
        `${here}#${name}`,
        'Respuesta corregida',
        'Desde ahora cuenta la que escribiste.',
      )
    }),
  }
}

/** Nothing is overwritten unseen: the refusal says the current value, and sending the form again replaces it. */
function overtaken({ at, by, name, revision }: AnswerConflict, stands: string | null): never {
  const words = `${by ?? 'Alguien más'} la cambió el ${dateTime(at)}: ahora dice «${stands ?? 'sin respuesta'}». Si la tuya es la buena, guárdala otra vez.`
  throw new Refusal('aborted', { description: words, details: { errors: { [name]: words }, base: revision } })
}

/** The office's forms for what is missing after a visit: its permit, or its report. */
export function permitForms(context: LoaderContext, id: string) {
  const here = `/admin/appointments-done/${id}`
  const review = (found: { seen: string; reason: string | null }) => {
    const { db, actor, now } = signedIn(context)
    return reviewPermit(db, actor, id, found, now)
  }
  return {
    'ask-for-report': form(reviewInput['ask-for-report'], async () => {
      const { db, actor, now } = signedIn(context)
      await askForReport(db, actor, id, now)
      return redirectWithToast(here, 'Reporte pedido', 'Le avisamos a su técnico por correo.')
    }),
    'validate-permit': form(reviewInput['validate-permit'], async ({ seen }) => {
      await review({ seen, reason: null })
      return redirectWithToast(here, 'Permiso validado', 'Ya cuenta para agendar su instalación.')
    }),
    'return-permit': form(reviewInput['return-permit'], async (found) => {
      await review(found)
      return redirectWithToast(here, 'Pedimos otro permiso', 'Le avisamos por correo.')
    }),
  }
}
