import type { RouterContextProvider } from 'react-router'
import { equipmentInput, equipmentOf } from '../../domain/projects/schema.ts'
import { seenVersion } from '../../domain/shared/schema.ts'
import { db } from '../../server/app/context.ts'
import { saveEquipment } from '../../server/projects/equipment.ts'
import { openProjectOf } from '../../server/projects/projects-queries.ts'
import { toast } from '../lib/flash.ts'
import { someone } from '../lib/someone.ts'
import { form } from '../lib/submit.ts'

type Context = Readonly<RouterContextProvider>

/** Car and charger of the open project, for their form; null before there is one. */
export async function ownEquipment(context: Context) {
  const project = await openProjectOf(context.get(db), someone(context).id)
  return project && { version: project.version, vehicle: project.vehicle, charger: project.charger }
}

const formInput = (now: Date) =>
  equipmentInput(now).extend({
    version: seenVersion,
  })

/** Saves what the form of car and charger says. */
export const equipmentForms = (context: Context) => ({
  equipment: form(formInput(new Date()), async ({ version, ...told }) => {
    await saveEquipment(context.get(db), someone(context), equipmentOf(told), version)
    return toast(
      '/technics-visit',
      'Guardamos los datos de tu auto y tu cargador',
      'Con ellos preparamos tu visita y tu cotización.',
    )
  }),
})
