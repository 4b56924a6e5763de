import type { RouterContextProvider } from 'react-router'
import { loseIntent, reopenIntent } from '../../domain/projects/project.ts'
import { endingInput } from '../../domain/projects/schema.ts'
import { db } from '../../server/app/context.ts'
import { loseProject, reopenProject } from '../../server/projects/ending.ts'
import { toast } from '../lib/flash.ts'
import { formOf } from '../lib/form.ts'
import { someone } from '../lib/someone.ts'
import { submit } from '../lib/submit.ts'

const intents: readonly unknown[] = [loseIntent, reopenIntent]
/** Whether a form gives a project up, or takes it up again. */
export async function isEnding(request: Request): Promise<boolean> {
  const form = await formOf(request)
  return intents.includes(form.get('intent'))
}

/** Gives a project up or takes it up again, and goes back to `here`. */
export const endingAction = (request: Request, context: Readonly<RouterContextProvider>, here: string) =>
  submit(request, endingInput, async (form) => {
    const [database, actor] = [context.get(db), someone(context)]
    if (form.intent === loseIntent) {
      await loseProject(database, actor, form, new Date())
      return toast(here, 'Proyecto cerrado', 'Quedó como No concretado y ya no pide nada a nadie.')
    }
    await reopenProject(database, actor, form.projectId)
    return toast(here, 'Proyecto reabierto', 'Sigue donde se quedó.')
  })
