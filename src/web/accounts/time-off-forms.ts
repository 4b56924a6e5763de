import type { RouterContextProvider } from 'react-router'
import { ownTimeOffInput } from '../../domain/users/schedule-schema.ts'
import { db } from '../../server/app/context.ts'
import { askTimeOff, withdrawTimeOff } from '../../server/users/own-time-off.ts'
import { toast } from '../lib/flash.ts'
import { someone } from '../lib/someone.ts'
import { form } from '../lib/submit.ts'

const here = '/admin/account#permisos'

/** Asks for time off, or takes that back. */
export function timeOffForms(context: Readonly<RouterContextProvider>) {
  const [database, actor, now] = [context.get(db), someone(context), new Date()]
  return {
    'time-off-ask': form(ownTimeOffInput['time-off-ask'], async (wish) => {
      await askTimeOff(database, actor, wish, now)
      return toast(here, 'Enviamos tu solicitud', 'Te escribimos cuando la gerencia responda.')
    }),
    'time-off-withdraw': form(ownTimeOffInput['time-off-withdraw'], async ({ timeOffId }) => {
      await withdrawTimeOff(database, actor, timeOffId, now)
      return toast(here, 'Retiraste tu solicitud', 'La gerencia ya no tiene que responderla.')
    }),
  }
}
