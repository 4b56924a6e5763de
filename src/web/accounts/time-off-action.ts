import type { RouterContextProvider } from 'react-router'
import { ownTimeOffInput } from '../../domain/schedule-input.ts'
import { db } from '../../server/context.ts'
import { askTimeOff, withdrawTimeOff } from '../../server/staffing/own-time-off.ts'
import { toast } from '../flash.ts'
import { someone } from '../someone.ts'
import { submit } from '../submit.ts'

const here = '/admin/account#permisos'

/** Whether a form of the account page is about time off. */
export const isOfTimeOff = (intent: unknown) => typeof intent === 'string' && intent.startsWith('time-off-')

/** Asks for time off, or takes that back. */
export const timeOffAction = (request: Request, context: Readonly<RouterContextProvider>) =>
  submit(request, ownTimeOffInput, async (form) => {
    const [database, actor, now] = [context.get(db), someone(context), new Date()]
    if (form.intent === 'time-off-ask') {
      await askTimeOff(database, actor, form, now)
      return toast(here, 'Enviamos tu solicitud', 'Te escribimos cuando la gerencia responda.')
    }
    await withdrawTimeOff(database, actor, form.timeOffId, now)
    return toast(here, 'Retiraste tu solicitud', 'La gerencia ya no tiene que responderla.')
  })
