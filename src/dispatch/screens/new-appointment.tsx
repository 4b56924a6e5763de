import { CalendarClock, ChevronRight } from 'lucide-react'
import { Form as SearchForm } from 'react-router'
import { bookForCaller } from '../../appointments/book.ts'
import {
  callerAddressInput,
  callerBookingInput,
  callerServiceInput,
  newCallerInput,
} from '../../appointments/rules/schema.ts'
import { verifyArea } from '../../customers/addresses.ts'
import { giveAddress, registerCaller, startAnother } from '../../customers/ending.ts'
import { customerWords } from '../../kit/customer-words.ts'
import { redirectWithToast } from '../../kit/flash.ts'
import { Field, TextArea } from '../../kit/form/field.tsx'
import { Form, OrphanedFormError, Submit, useFormResult } from '../../kit/form/form.tsx'
import { isLost } from '../../kit/network.ts'
import { refusalsAsResponses } from '../../kit/refusals-as-responses.ts'
import { signedIn } from '../../kit/request.ts'
import { revalidateOnConflict } from '../../kit/revalidate-on-conflict.ts'
import { form, forms } from '../../kit/submit.ts'
import { homeOrOther } from '../../projects/open-project.ts'
import { placeOfCode } from '../../projects/postal-list.ts'
import { otherHomeIn, projectParam } from '../../projects/rules/homes.ts'
import { taskInput } from '../../projects/rules/schema.ts'
import { HomeFields, PlaceFields } from '../../projects/screens/place-fields.tsx'
import {
  boardBehind,
  boardPath,
  forCaller,
  keptBoard,
  newAppointmentPath,
  withBoard,
} from '../../scheduling/screens/board-query.ts'
import { countWords } from '../../shared/count.ts'
import { formatPhone } from '../../shared/format.ts'
import { shownEmail } from '../../shared/mailbox.ts'
import { Button } from '../../ui/button.tsx'
import { Card, Details, EmptyState } from '../../ui/card.tsx'
import { Link } from '../../ui/link.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import type { Route } from './+types/new-appointment.ts'
import { AboutCaller, CallersAppointment, ChosenCaller } from './callers-appointment.tsx'
import {
  type AskedPlace,
  askedPlace,
  type CallersBooking,
  callersBooking,
  type FoundCallers,
  foundCallers,
} from './new-appointment-server.ts'
import { NewCaller } from './new-caller.tsx'

const folded = ['regionGroup', 'municipality', 'state']

/** The address of a customer who calls and has given none yet. */
function CallersAddress({ booking }: { booking: CallersBooking }) {
  const { id, kept, service } = booking
  const result = useFormResult('give-address')
  return (
    <Form intent="give-address">
      <AboutCaller booking={booking} />
      <PlaceFields
        address={null}
        colonias={[]}
        isWrong={folded.some((name) => result?.errors[name] !== undefined)}
        lookup={(codigo) => forCaller(id, service, { ...kept, codigo })}
        theirs
      />
      <HomeFields address={null} theirs />
      <TextArea label="Referencias" name="references" optional maxLength={300} />
      <Submit>Guardar domicilio</Submit>
    </Form>
  )
}

type FindProps = { found: FoundCallers; asked: AskedPlace; kept: Record<string, string> }

/** A caller's ten digits, the last of which asks by itself; more are to come after the prefixes of a phone. */
const isWholePhone = (text: string) => /^(?!52|0)\d{10}$/.test(text.replaceAll(' ', ''))

const isUnknown = ({ callers, text }: FoundCallers) => text !== '' && callers.length === 0

/** The caller: a customer we know, found by name, e-mail or phone. */
function FindCaller({ found, asked, kept }: FindProps) {
  const { text } = found
  return (
    <Card>
      <SearchForm
        method="get"
        action={newAppointmentPath}
        role="search"
        className="grid items-end gap-3 sm:grid-cols-[1fr_auto]"
      >
        {Object.entries(kept).map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        <Field
          label="Buscar a un cliente"
          name="q"
          type="search"
          optional="unsaid"
          enterKeyHint="search"
          placeholder="Nombre, correo o teléfono"
          maxLength={100}
          defaultValue={text}
          autoFocus={!asked && !isUnknown(found)}
          data-first-focus
          onChange={({ currentTarget: { form, value } }) => {
            if (isWholePhone(value) && !isLost()) form?.requestSubmit()
          }}
        />
        <Button type="submit" variant="ghost">
          Buscar
        </Button>
      </SearchForm>
      {text !== '' && <Callers found={found} kept={kept} />}
    </Card>
  )
}

/** Until a caller is chosen: what comes here then, and the form of one whom we don't know. */
function Unchosen({ found, asked, kept }: FindProps) {
  const result = useFormResult('create-customer')
  const { text } = found
  const isNew = isUnknown(found) || asked !== null || result !== undefined
  return (
    <>
      {!isNew && (
        <div className="max-lg:hidden">
          <EmptyState icon={CalendarClock}>Elige a quien llama y aquí salen sus horas libres.</EmptyState>
        </div>
      )}
      <Details summary="Registrar cliente nuevo" open={isNew} key={text}>
        <NewCaller text={isUnknown(found) ? text : ''} asked={asked} kept={kept} />
      </Details>
    </>
  )
}

function Callers({ found: { callers, more }, kept }: Pick<FindProps, 'found' | 'kept'>) {
  if (callers.length === 0)
    return <p className="text-mute">No encontramos a nadie. Regístralo aquí como alguien nuevo.</p>
  return (
    <div className="grid gap-2">
      <ul className="grid gap-2">
        {callers.map(({ id, name, email, phone }) => (
          <li key={id}>
            <Link
              to={withBoard(forCaller(id), kept)}
              className="flex min-h-14 items-center justify-between gap-3 rounded-control border border-line px-3.5 py-2.5 text-ink no-underline hover:bg-hover"
            >
              <span className="grid min-w-0">
                <span className="font-semibold wrap-anywhere">{name}</span>
                <span className="text-sm text-mute wrap-anywhere">
                  {[phone && formatPhone(phone), shownEmail(email)].filter(Boolean).join(' · ')}
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

export const shouldRevalidate = revalidateOnConflict

export const loader = ({ context, url }: Route.LoaderArgs) =>
  refusalsAsResponses(async () => {
    const id = url.searchParams.get('cliente')
    const asked = await askedPlace(context, url)
    const back = boardBehind(url, new Date(), '')
    const shown = { asked, back, colonias: asked?.colonias ?? [], kept: keptBoard(url) }
    if (id === null) return { ...shown, found: await foundCallers(context, url), booking: null }
    return { ...shown, found: null, booking: await callersBooking(context, url, id) }
  })

export const action = forms(({ context, url }: Route.ActionArgs) => {
  const { db, actor, now } = signedIn(context)
  const placeOf = (postalCode: string) => placeOfCode(db, postalCode)
  const proyecto = url.searchParams.get(projectParam)
  const kept = { ...keptBoard(url), ...(proyecto && { proyecto }) }
  return {
    'create-customer': form(
      ({ callOnly }) => newCallerInput(callOnly !== undefined, placeOf),
      async (input) => {
        const id = await registerCaller(db, actor, input, now)
        const { home } = input
        const service = home && home.area !== 'outside' ? 'technical_visit' : 'videocall'
        const notice =
          home?.area === 'outside' && home.notice ? ' Le avisamos cuando lleguemos a su zona.' : ''
        const then =
          input.caller.email === null
            ? `No tiene correo: avísale por teléfono.${notice}`
            : `Le mandamos un correo para que elija su contraseña.${notice}`
        return redirectWithToast(forCaller(id, service, kept), 'Cliente registrado', then)
      },
    ),
    'give-address': form(callerAddressInput(placeOf), async (input) => {
      const { customerId, projectId, service, ...given } = input
      const other = otherHomeIn(url)
      const owner = homeOrOther(actor, { id: customerId, projectId }, other)
      await giveAddress(db, actor, owner, given, now)
      return redirectWithToast(
        forCaller(customerId, service, { ...kept, ...(other && { [projectParam]: other }) }),
        'Guardamos el domicilio',
        'Sigue elegir su horario.',
      )
    }),
    'verify-area': form(taskInput['verify-area'], async (answer) => {
      await verifyArea(db, actor, answer, now)
      const then = 'Le avisamos al cliente, si tiene correo.'
      return redirectWithToast(`${url.pathname}${url.search}`, 'Domicilio verificado', then)
    }),
    'start-another': form(callerServiceInput, async ({ customerId, projectId, service }) => {
      await startAnother(db, actor, { id: customerId, projectId }, now)
      const then = 'Escribe su domicilio para agendar.'
      return redirectWithToast(forCaller(customerId, service, kept), 'Empezamos otro proyecto', then)
    }),
    'book-for-caller': form(
      ({ service }) => callerBookingInput(service, now),
      async ({ customerId, projectId, service, ...booking }) => {
        const owner = { id: customerId, projectId }
        const { id, folio } = await bookForCaller(db, actor, owner, service, booking, now)
        const told = 'Les avisamos por correo al cliente y a quien la realiza.'
        const then = `${folio}. ${await customerWords(db, { of: 'appointments', id }, told)}`
        return redirectWithToast(withBoard(`${boardPath}/${id}`, kept), 'La cita quedó agendada', then)
      },
    ),
  }
})

export default function NewAppointment({
  loaderData: { asked, back, booking, found, kept },
}: Route.ComponentProps) {
  return (
    <>
      <PageHeader
        title="Nueva cita"
        subtitle={booking ? `Para ${booking.name}` : '¿Quién llama?'}
        back={{ to: back, label: 'Asignaciones de citas' }}
      />
      <OrphanedFormError />
      <div className="grid items-start gap-5 lg:grid-cols-[minmax(0,2fr)_minmax(0,3fr)]">
        <div className="grid gap-4">
          {found && <FindCaller found={found} asked={asked} kept={kept} />}
          {booking && <ChosenCaller booking={booking} />}
        </div>
        <section aria-label="Su cita" className="grid gap-5">
          {found && <Unchosen found={found} asked={asked} kept={kept} />}
          {booking && (
            <CallersAppointment key={`${booking.id} ${booking.projectId}`} booking={booking}>
              {booking.hindrance === 'address' && <CallersAddress booking={booking} />}
            </CallersAppointment>
          )}
        </section>
      </div>
    </>
  )
}
