import type { RouterContextProvider } from 'react-router'
import { answerInWords } from '../../domain/reports/answer-words.ts'
import { redoOf } from '../../domain/reports/answers.ts'
import { questionOf } from '../../domain/reports/progress.ts'
import { reviewInput } from '../../domain/reports/schema.ts'
import { dateTime } from '../../domain/shared/format.ts'
import { Refusal, refuse } from '../../domain/shared/refusal.ts'
import { db } from '../../server/app/context.ts'
import { type AnswerConflict, saveAnswers } from '../../server/reports/answers.ts'
import { sheetFor } from '../../server/reports/queries.ts'
import { approveSheet, returnSheet } from '../../server/reports/review.ts'
import { redirectWithToast } from '../lib/flash.ts'
import { requireActor } from '../lib/require-actor.ts'
import { form } from '../lib/submit.ts'
import { typedFor } from './typed-loads.ts'

/** The forms by which a sheet is approved or returned, or one of its answers put right. */
export function reviewForms(context: Readonly<RouterContextProvider>, id: string) {
  const [database, actor, now] = [context.get(db), requireActor(context), new Date()]
  const here = `/admin/appointments-done/${id}`
  return {
    'approve-sheet': form(reviewInput['approve-sheet'], async ({ version }) => {
      await approveSheet(database, actor, id, version, now)
      return redirectWithToast(here, 'Aprobado', 'Ya se puede cotizar o cerrar con estos datos.')
    }),
    'return-sheet': form(reviewInput['return-sheet'], async (wish) => {
      await returnSheet(database, actor, id, { ...wish, redo: redoOf(wish) }, now)
      return redirectWithToast(here, 'Lo devolviste', 'Le avisamos a su técnico por correo.')
    }),
    'correct-answer': form(reviewInput['correct-answer'], async ({ name, base }, { values }) => {
      const sheet = (await sheetFor(database, actor, id)) ?? refuse('not-found')
      const question = questionOf(sheet.kind, name) ?? refuse('not-found')
      const change = { name, base, value: typedFor(question, values), at: now }
      const { conflicts, refused } = await saveAnswers(database, actor, id, [change], now)
      if (refused[0])
        refuse('invalid-argument', refused[0].message, { errors: { [name]: refused[0].message } })
      if (conflicts[0]) overtaken(conflicts[0], answerInWords(question, conflicts[0].value))
      // Back to where it stands, with the focus.
      return redirectWithToast(
        `${here}#${name}`,
        'Respuesta corregida',
        'Desde ahora cuenta la que escribiste.',
      )
    }),
  }
}

/** Nothing is overwritten unseen: what stands now is told, and sending the form again goes over it. */
function overtaken({ at, by, name, revision }: AnswerConflict, stands: string | null): never {
  const words = `${by ?? 'Alguien más'} la cambió el ${dateTime(at)}: ahora dice «${stands ?? 'sin respuesta'}». Si la tuya es la buena, guárdala otra vez.`
  throw new Refusal('aborted', { description: words, details: { errors: { [name]: words }, base: revision } })
}
