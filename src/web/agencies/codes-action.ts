import type { RouterContextProvider } from 'react-router'
import type { Actor } from '../../domain/access/actor.ts'
import { type CodeWish, codeInput, codeMoveInput } from '../../domain/agencies/referral-schema.ts'
import { createCode, moveCode } from '../../server/agencies/changes.ts'
import { db } from '../../server/app/context.ts'
import type { Db } from '../../server/platform/database/database.ts'
import { formWithFiles } from '../documents/form-with-files.ts'
import { toast } from '../lib/flash.ts'
import { someone } from '../lib/someone.ts'
import { submit } from '../lib/submit.ts'
import { movedNotes, movedWords, moveOf } from './moved.ts'

const here = '/admin/alliate/codes'
type Args = { request: Request; context: Readonly<RouterContextProvider> }

/** Answers the forms of an ally's codes. */
export async function allyCodesAction({ request, context }: Args) {
  const [database, actor, now] = [context.get(db), someone(context), new Date()]
  const { form, intent } = await formWithFiles(request)
  if (intent === 'codes.create' || intent === 'codes.draft')
    return submit(form, codeInput(now), ({ intent, ...wish }) =>
      create(database, actor, { ...wish, activate: intent === 'codes.create' }, now),
    )
  return submit(form, codeMoveInput, async ({ codeId, intent, version }) => {
    const name = moveOf[intent]
    const { code } = await moveCode(database, actor, codeId, name, { version }, now)
    return toast(here, movedWords[name](code), movedNotes[name])
  })
}

async function create(database: Db, actor: Actor, wish: CodeWish & { activate: boolean }, now: Date) {
  const { askedAt, code, state } = await createCode(database, actor, wish, now)
  if (state === 'active') return toast(here, `Creamos el código ${code}`, 'Ya lo puedes compartir.')
  if (askedAt) return toast(here, `Guardamos el código ${code}`, movedNotes.ask, 'default')
  return toast(here, `Guardamos el código ${code}`, 'Actívalo cuando lo quieras compartir.', 'default')
}
