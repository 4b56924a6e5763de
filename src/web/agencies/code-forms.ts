import type { Actor } from '../../domain/access/actor.ts'
import { codeMoveInput } from '../../domain/agencies/referral-schema.ts'
import { moveCode } from '../../server/agencies/changes.ts'
import type { AskableMove } from '../../server/agencies/codes-queries.ts'
import type { Db } from '../../server/platform/database/client.ts'
import { redirectWithToast } from '../lib/flash.ts'
import { form } from '../lib/submit.ts'

/** What is done about codes by those who made them, and by the manager. */
export function codeMoveForms(db: Db, actor: Actor, here: string, now: Date) {
  const moving =
    (move: AskableMove) =>
    async ({ codeId, version }: { codeId: string; version: number }) => {
      const { code } = await moveCode(db, actor, codeId, move, { version }, now)
      return redirectWithToast(here, movedWords[move](code), movedNotes[move])
    }
  return {
    'codes.activate': form(codeMoveInput, moving('activate')),
    'codes.ask': form(codeMoveInput, moving('ask')),
    'codes.pause': form(codeMoveInput, moving('pause')),
    'codes.resume': form(codeMoveInput, moving('resume')),
    'codes.revoke': form(codeMoveInput, moving('revoke')),
  }
}

/** What is said of a code that was moved. */
export const movedWords: Record<AskableMove, (code: string) => string> = {
  activate: (code) => `El código ${code} está activo`,
  ask: (code) => `Pedimos la aprobación de ${code}`,
  pause: (code) => `El código ${code} quedó en pausa`,
  resume: (code) => `El código ${code} está activo otra vez`,
  revoke: (code) => `El código ${code} quedó revocado`,
}

/** What each of them means. */
export const movedNotes: Record<AskableMove, string> = {
  activate: 'Ya se puede compartir.',
  ask: 'Su beneficio pasa del límite de tu concesionaria. La gerencia te avisa por correo.',
  pause: 'Nadie lo puede usar hasta que lo reanudes.',
  resume: 'Se puede usar otra vez.',
  revoke: 'Quien ya lo usó conserva su beneficio.',
}
