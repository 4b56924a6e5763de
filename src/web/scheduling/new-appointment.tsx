import { ChevronRight } from 'lucide-react'
import { Form as SearchForm } from 'react-router'
import {
  callerAddressInput,
  callerBookingInput,
  callerInput,
  callerServiceInput,
} from '../../domain/appointments/schema.ts'
import { countWords } from '../../domain/shared/count.ts'
import { formatPhone } from '../../domain/shared/format.ts'
import { db } from '../../server/app/context.ts'
import { bookForCaller } from '../../server/appointments/book.ts'
import { giveAddress, startAnother } from '../../server/projects/ending.ts'
import { placeOfCode } from '../../server/projects/postal-list.ts'
import { createCustomer, type KnownCallers } from '../../server/users/commands.ts'
import { redirectWithToast } from '../lib/flash.ts'
import { refusalsAsResponses } from '../lib/refusals-as-responses.ts'
import { requireActor } from '../lib/require-actor.ts'
import { revalidateOnConflict } from '../lib/revalidate-on-conflict.ts'
import { form, forms } from '../lib/submit.ts'
import { HomeFields, PlaceFields } from '../projects/place-fields.tsx'
import { Button, LinkButton } from '../ui/button.tsx'
import { Card, Details } from '../ui/card.tsx'
import { Field, TextArea } from '../ui/field.tsx'
import { Form, OrphanedFormError, Submit, useFormResult } from '../ui/form.tsx'
import { Link } from '../ui/link.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import type { Route } from './+types/new-appointment.ts'
import { forCaller, newAppointmentPath } from './board-query.ts'
import { CallersAppointment } from './callers-appointment.tsx'
import {
  askedColonias,
  type CallersBooking,
  callersBooking,
  type FoundCallers,
  foundCallers,
} from './new-appointment-server.ts'

const folded = ['regionGroup', 'municipality', 'state']

/** The address of a customer who calls and has given none yet. */
function CallersAddress({ booking: { id, service } }: { booking: CallersBooking }) {
  const result = useFormResult('give-address')
  return (
    <Form intent="give-address">
      <input type="hidden" name="customerId" value={id} />
      <input type="hidden" name="service" value={service} />
      <PlaceFields
        address={null}
        colonias={[]}
        isWrong={folded.some((name) => result?.errors[name] !== undefined)}
        lookup={(codigo) => forCaller(id, service, { codigo })}
        theirs
      />
      <HomeFields address={null} theirs />
      <TextArea label="Referencias" name="references" optional maxLength={300} />
      <Submit>Guardar domicilio</Submit>
    </Form>
  )
}

/** The caller: a customer we know, found by name, e-mail or phone, or a new one. */
function FindCaller({ found }: { found: FoundCallers }) {
  const result = useFormResult('create-customer')
  const { text, callers } = found
  const isUnknown = text !== '' && callers.length === 0
  return (
    <div className="grid gap-4 lg:max-w-3xl">
      <Card>
        <SearchForm
          method="get"
          action={newAppointmentPath}
          role="search"
          className="grid items-end gap-3 sm:grid-cols-[1fr_auto]"
        >
          <Field
            label="Buscar a un cliente"
            name="q"
            type="search"
            optional="unsaid"
            enterKeyHint="search"
            placeholder="Nombre, correo o teléfono"
            maxLength={100}
            defaultValue={text}
          />
          <Button type="submit" variant="ghost">
            Buscar
          </Button>
        </SearchForm>
        {text !== '' && <Callers found={found} />}
      </Card>
      <Details summary="Registrar cliente nuevo" open={isUnknown || result !== undefined} key={text}>
        <NewCustomer text={isUnknown ? text : ''} />
      </Details>
    </div>
  )
}

function Callers({ found: { callers, more } }: { found: FoundCallers }) {
  if (callers.length === 0)
    return <p className="text-mute">No encontramos a nadie. Regístralo como alguien nuevo.</p>
  return (
    <div className="grid gap-2">
      <ul className="grid gap-2">
        {callers.map(({ id, name, email, phone }) => (
          <li key={id}>
            <Link
              to={forCaller(id)}
              className="flex min-h-14 items-center justify-between gap-3 rounded-control border border-line px-3.5 py-2.5 text-ink no-underline hover:bg-hover"
            >
              <span className="grid min-w-0">
                <span className="font-semibold wrap-anywhere">{name}</span>
                <span className="text-sm text-mute wrap-anywhere">
                  {[phone && formatPhone(phone), email].filter(Boolean).join(' · ')}
                </span>
              </span>
              <ChevronRight aria-hidden className="size-5 shrink-0 text-mute" />
            </Link>
          </li>
        ))}
      </ul>
      {more.total > 0 && (
        <p className="text-sm text-mute">Hay {countWords(more)} más. Escribe algo más para acercarte.</p>
      )}
    </div>
  )
}

/** The searched text is already in the field it belongs to. */
function NewCustomer({ text }: { text: string }) {
  const isEmail = text.includes('@')
  const isPhone = /^[\d\s()+.-]+$/.test(text)
  return (
    <Form intent="create-customer">
      <div className="grid gap-5 sm:grid-cols-2">
        <Field
          label="Nombre"
          name="name"
          autoComplete="off"
          defaultValue={isEmail || isPhone ? '' : text}
          maxLength={80}
        />
        <Field label="Apellidos" name="lastname" autoComplete="off" maxLength={80} />
        <Field
          label="Teléfono"
          name="phone"
          type="tel"
          inputMode="tel"
          autoComplete="off"
          defaultValue={isPhone ? text : ''}
        />
        <Field
          label="Correo electrónico"
          name="email"
          type="email"
          inputMode="email"
          autoComplete="off"
          defaultValue={isEmail ? text : ''}
          help="Le llega un correo para elegir su contraseña."
        />
      </div>
      {/* The first button is the one that Enter presses: it only asks again. */}
      <Submit>Registrar y seguir</Submit>
      <KnownCallersChoice />
    </Form>
  )
}

/** Whom the form may have meant: one press goes on with them, another registers somebody else with the same phone. */
function KnownCallersChoice() {
  const details = useFormResult('create-customer')?.refusal?.details as Partial<KnownCallers> | undefined
  const known = details?.known ?? []
  if (known.length === 0) return null
  return (
    <div className="flex flex-wrap gap-3">
      {known.map(({ id, name }) => (
        <LinkButton key={id} to={forCaller(id)}>
          Sí, es {name}
        </LinkButton>
      ))}
      {details?.byPhone && (
        <Submit variant="ghost" name="another" value="on">
          No, es otra persona
        </Submit>
      )}
    </div>
  )
}

export const shouldRevalidate = revalidateOnConflict

export const loader = ({ context, url }: Route.LoaderArgs) =>
  refusalsAsResponses(async () => {
    const id = url.searchParams.get('cliente')
    const colonias = await askedColonias(context, url)
    if (id === null) return { colonias, found: await foundCallers(context, url), booking: null }
    return { colonias, found: null, booking: await callersBooking(context, url, id) }
  })

export const action = forms(({ context }: Route.ActionArgs) => {
  const [database, actor, now] = [context.get(db), requireActor(context), new Date()]
  const address = callerAddressInput((postalCode) => placeOfCode(database, postalCode))
  return {
    'create-customer': form(callerInput, async (caller) => {
      const id = await createCustomer(database, actor, caller, now)
      const then = 'Le mandamos un correo para que elija su contraseña.'
      return redirectWithToast(forCaller(id), 'Cliente registrado', then)
    }),
    'give-address': form(address, async (input) => {
      const { customerId, service, ...given } = input
      await giveAddress(database, actor, customerId, given, now)
      return redirectWithToast(
        forCaller(customerId, service),
        'Guardamos el domicilio',
        'Sigue elegir su horario.',
      )
    }),
    'start-another': form(callerServiceInput, async ({ customerId, service }) => {
      await startAnother(database, actor, customerId, now)
      const then = 'Escribe su domicilio para agendar.'
      return redirectWithToast(forCaller(customerId, service), 'Empezamos otro proyecto', then)
    }),
    'book-for-caller': form(
      ({ service }) => callerBookingInput(service, now),
      async ({ customerId, service, ...booking }) => {
        const { id, folio } = await bookForCaller(database, actor, customerId, service, booking, now)
        const then = `${folio}. Le avisamos por correo.`
        return redirectWithToast(`/admin/assignations/${id}`, 'La cita quedó agendada', then)
      },
    ),
  }
})

export default function NewAppointment({ loaderData: { found, booking } }: Route.ComponentProps) {
  return (
    <>
      <PageHeader
        title="Nueva cita"
        subtitle={booking ? `Para ${booking.name}` : '¿Quién llama?'}
        back={{ to: '/admin/assignations', label: 'Asignaciones de citas' }}
      />
      <OrphanedFormError />
      {found && <FindCaller found={found} />}
      {booking && (
        <CallersAppointment booking={booking}>
          {booking.hindrance === 'address' && <CallersAddress booking={booking} />}
        </CallersAppointment>
      )}
    </>
  )
}
