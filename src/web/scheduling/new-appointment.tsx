import { z } from 'zod'
import { services } from '../../domain/appointments/appointment.ts'
import { bookingInputFor, callerInput } from '../../domain/appointments/schema.ts'
import { anotherIntent } from '../../domain/projects/project.ts'
import { addressInputBy } from '../../domain/projects/schema.ts'
import { db } from '../../server/app/context.ts'
import { bookForCaller } from '../../server/appointments/book-for-caller.ts'
import { giveAddress } from '../../server/projects/caller-address.ts'
import { startAnother } from '../../server/projects/ending.ts'
import { placeOfCode } from '../../server/projects/postal-codes.ts'
import { createCustomer } from '../../server/users/new-customer.ts'
import { concerning } from '../accounts/form-concerned.ts'
import { afterRefusal } from '../lib/after-refusal.ts'
import { toast } from '../lib/flash.ts'
import { formOf } from '../lib/form.ts'
import { load } from '../lib/load.ts'
import { someone } from '../lib/someone.ts'
import { submit } from '../lib/submit.ts'
import { Alert } from '../ui/alert.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import type { Route } from './+types/new-appointment.ts'
import { CallersAddress } from './callers-address.tsx'
import { CallersAppointment } from './callers-appointment.tsx'
import { FindCaller } from './find-caller.tsx'
import { forCaller } from './new-appointment-path.ts'
import { askedColonias, callersBooking, foundCallers } from './new-appointment-server.ts'

export const shouldRevalidate = afterRefusal

export const loader = ({ context, url }: Route.LoaderArgs) =>
  load(async () => {
    const id = url.searchParams.get('cliente')
    const colonias = await askedColonias(context, url)
    if (id === null) return { colonias, found: await foundCallers(context, url), booking: null }
    return { colonias, found: null, booking: await callersBooking(context, url, id) }
  })

const staleForm = 'Este formulario ya no sirve. Vuelve a abrir la página.'
const customerId = z.uuid(staleForm)
const service = z.enum(services, staleForm)

export const action = async ({ request, context }: Route.ActionArgs) => {
  const [database, actor, now] = [context.get(db), someone(context), new Date()]
  const sent = await formOf(request)
  const intent = sent.get('intent')
  if (intent === 'give-address') {
    const address = addressInputBy((postalCode) => placeOfCode(database, postalCode))
    return submit(request, z.intersection(address, z.object({ customerId, service })), async (input) => {
      const { customerId, service, ...given } = input
      await giveAddress(database, actor, customerId, given, now)
      return toast(forCaller(customerId, service), 'Guardamos el domicilio', 'Sigue elegir su horario.')
    })
  }
  if (intent === anotherIntent) {
    const input = z.object({ customerId, service })
    return submit(request, input, async ({ customerId, service }) => {
      await startAnother(database, actor, customerId, now)
      return toast(
        forCaller(customerId, service),
        'Empezamos otro proyecto',
        'Escribe su domicilio para agendar.',
      )
    })
  }
  if (intent === 'book-for-caller') {
    const booked = service.catch('technical_visit').parse(sent.get('service'))
    const input = z.intersection(bookingInputFor(booked, now), z.object({ customerId, service }))
    return submit(request, input, async ({ customerId, service, ...booking }) => {
      const { id, folio } = await bookForCaller(database, actor, customerId, service, booking, now)
      return toast(`/admin/assignations/${id}`, 'La cita quedó agendada', `${folio}. Le avisamos por correo.`)
    })
  }
  return submit(request, callerInput, async (caller) => {
    const id = await createCustomer(database, actor, caller, now)
    return toast(forCaller(id), 'Cliente registrado', 'Le mandamos un correo para que elija su contraseña.')
  })
}

const forms = ['create-customer', 'book-for-caller', 'give-address', anotherIntent]

export default function NewAppointment({ loaderData: { found, booking }, actionData }: Route.ComponentProps) {
  return (
    <>
      <PageHeader
        title="Nueva cita"
        subtitle={booking ? `Para ${booking.name}` : '¿Quién llama?'}
        back={{ to: '/admin/assignations', label: 'Asignaciones de citas' }}
      />
      {actionData && !forms.some((intent) => concerning(actionData, intent)) && (
        <Alert tone="bad" title="Revisa los datos">
          {staleForm}
        </Alert>
      )}
      {found && <FindCaller found={found} result={concerning(actionData, 'create-customer')} />}
      {booking && (
        <CallersAppointment booking={booking} result={concerning(actionData, 'book-for-caller')}>
          {booking.hindrance === 'address' && (
            <CallersAddress booking={booking} result={concerning(actionData, 'give-address')} />
          )}
        </CallersAppointment>
      )}
    </>
  )
}
