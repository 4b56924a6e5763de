import { codeAnswerInput, codeMoveInput } from '../../domain/code-input.ts'
import { moveCode } from '../../server/codes/changes.ts'
import { movedNotes, movedWords, moveOf } from '../codes/moved.ts'
import { toast } from '../flash.ts'
import { submit } from '../submit.ts'
import type { PartAnswer, PartForm } from './agency-part.ts'

/** Answers the forms of the page whose intent begins with "codes.". */
export async function codesAction({ actor, db, here, now, sent }: PartForm): PartAnswer {
  if (sent.intent !== 'codes.approve' && sent.intent !== 'codes.refuse')
    return submit(sent.form, codeMoveInput, async ({ codeId, intent, version }) => {
      const { code } = await moveCode(db, actor, codeId, moveOf[intent], { version }, now)
      return toast(here, movedWords[moveOf[intent]](code), movedNotes[moveOf[intent]])
    })
  return submit(sent.form, codeAnswerInput, async (answer) => {
    const { codeId, version } = answer
    if (answer.intent === 'codes.approve') {
      const { code } = await moveCode(db, actor, codeId, 'approve', { version }, now)
      return toast(
        here,
        `Aprobaste el código ${code}`,
        'Ya sirve. Se lo decimos por correo a quien lo pidió.',
      )
    }
    const { code } = await moveCode(db, actor, codeId, 'refuse', { version, reason: answer.reason }, now)
    return toast(
      here,
      `No aprobaste el código ${code}`,
      'Se lo decimos por correo a quien lo pidió.',
      'default',
    )
  })
}
