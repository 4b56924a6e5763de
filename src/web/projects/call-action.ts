import type { RouterContextProvider } from 'react-router'
import { callInput } from '../../domain/projects/schema.ts'
import { writesQuotes } from '../../domain/quotes/quote.ts'
import { refuse } from '../../domain/shared/refusal.ts'
import { db } from '../../server/app/context.ts'
import { noteCall } from '../../server/projects/calls.ts'
import { toast } from '../lib/flash.ts'
import { load } from '../lib/load.ts'
import { someone } from '../lib/someone.ts'
import { submit } from '../lib/submit.ts'
import { partPath } from './pipeline-path.ts'

/** Notes what came of a call. */
export const callAction = (request: Request, context: Readonly<RouterContextProvider>) =>
  load(async () => {
    const actor = someone(context)
    if (!writesQuotes(actor)) refuse('permission-denied')
    return submit(request, callInput, async (form) => {
      await noteCall(context.get(db), actor, form, new Date())
      return toast(partPath('llamar'), 'Llamada anotada', 'En dos días, si no contesta, vuelve a la lista.')
    })
  })
