import { House } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { serviceFacts, services } from '../../appointments/rules/appointment.ts'
import { appointmentPath } from '../../appointments/rules/appointment-path.ts'
import { InterestPicker } from '../../appointments/screens/equipment-fields.tsx'
import { AreaForm } from '../../customers/screens/tasks.tsx'
import { TextArea } from '../../kit/form/field.tsx'
import { Form, Submit, useFormResult } from '../../kit/form/form.tsx'
import { otherHomeParam, projectParam } from '../../projects/rules/homes.ts'
import { missingWords } from '../../projects/rules/next-step.ts'
import { customerPath } from '../../projects/rules/pipeline.ts'
import { forCaller, newAppointmentPath, withBoard } from '../../scheduling/screens/board-query.ts'
import { formatPhone, telLink } from '../../shared/format.ts'
import { hasMailbox, shownEmail } from '../../shared/mailbox.ts'
import { Alert } from '../../ui/alert.tsx'
import { buttonClass, LinkButton } from '../../ui/button.tsx'
import { Card, EmptyState } from '../../ui/card.tsx'
import { classNames } from '../../ui/class-names.ts'
import { DefinitionList } from '../../ui/definition-list.tsx'
import { Link } from '../../ui/link.tsx'
import { AnyHour, DeskSlots, WithWhom } from './desk-slots.tsx'
import type { CallersBooking } from './new-appointment-server.ts'

type CallerProps = { booking: CallersBooking }

/** A customer who calls: who it is, and the service. */
export function ChosenCaller({ booking }: CallerProps) {
  return (
    <>
      <Customer booking={booking} />
      {booking.takenOver && (
        <Alert tone="wait" title="Nadie ha confirmado este correo">
          La cuenta puede ser de alguien más. Al guardar cerramos sus sesiones, su contraseña deja de servir y
          mandamos a ese correo el enlace para reclamarla. Revisa con quien llama que el nombre y el teléfono
          sean suyos; si no, <Link to={customerPath(booking.id)}>corrígelos</Link>.
        </Alert>
      )}
      <nav aria-label="Servicio" className="grid gap-2 sm:grid-cols-3 lg:grid-cols-1">
        {services.map((service) => (
          <Link
            key={service}
            to={forCaller(booking.id, service, booking.kept)}
            aria-current={service === booking.service ? 'true' : undefined}
            className={classNames(
              tab,
              service === booking.service ? chosenTab : 'border-line bg-card text-ink hover:bg-hover',
            )}
          >
            {serviceFacts[service].label}
          </Link>
        ))}
      </nav>
    </>
  )
}

/** What their appointment needs now: their address, what stands in its way, or a slot of the agenda that customers see. */
export const CallersAppointment = ({ booking, children }: CallerProps & { children: ReactNode }) => (
  <>
    {booking.asksHome && (
      <EmptyState icon={House}>Tiene varios domicilios en curso. Elige para cuál es la cita.</EmptyState>
    )}
    {children}
    <Hindered booking={booking} />
    <BookingForm key={booking.service} booking={booking} />
  </>
)

/** What each form says of the caller: who it is, the project, and the service. */
export const AboutCaller = ({ booking: { id, projectId, service } }: CallerProps) => (
  <>
    <input type="hidden" name="customerId" value={id} />
    {projectId && <input type="hidden" name="projectId" value={projectId} />}
    <input type="hidden" name="service" value={service} />
  </>
)

const tab = 'grid min-h-12 place-items-center rounded-control border px-3 text-center no-underline'
const chosenTab = 'border-brand bg-brand-soft font-semibold text-brand'

function Customer({ booking }: CallerProps) {
  const { id, name, phone, email, emailVerified, homes, kept, place } = booking
  const { proyecto, ...board } = kept
  return (
    <Card
      title={<Link to={customerPath(id)}>{name}</Link>}
      aside={<Link to={withBoard(newAppointmentPath, board)}>Cambiar de cliente</Link>}
    >
      <DefinitionList
        items={[
          { term: 'Teléfono', value: phone && <a href={telLink(phone)}>{formatPhone(phone)}</a> },
          {
            term: 'Correo',
            value: emailVerified || !hasMailbox(email) ? shownEmail(email) : `${email} (sin confirmar)`,
          },
          { term: 'Domicilio', value: homes.length > 1 ? null : place },
        ]}
      />
      {homes.length > 1 && <Homes booking={booking} />}
      {place && (
        <LinkButton
          variant="ghost"
          to={forCaller(id, booking.service, { ...board, [otherHomeParam]: booking.requestKey })}
        >
          Otro domicilio
        </LinkButton>
      )}
    </Card>
  )
}

/** The homes of a customer with several projects: which one the appointment is for. */
const Homes = ({ booking: { homes, id, kept, projectId, service } }: CallerProps) => (
  <nav aria-label="¿Para qué domicilio?" className="grid gap-2">
    {homes.map(([home, name]) => (
      <Link
        key={home}
        to={forCaller(id, service, { ...kept, [projectParam]: home })}
        aria-current={home === projectId ? 'true' : undefined}
        className={classNames(
          tab,
          home === projectId ? chosenTab : 'border-line bg-card text-ink hover:bg-hover',
        )}
      >
        {name}
      </Link>
    ))}
  </nav>
)

/** Why this service can't be booked now, and what can be. */
function Hindered({ booking }: { booking: CallersBooking }) {
  const { active, hindrance, missing, unverifiedHome } = booking
  if (hindrance === 'active_one' && active)
    return (
      <Alert
        tone="info"
        title={`Ya tiene una: ${active.folio}`}
        actions={
          <Link className={buttonClass('ghost')} to={appointmentPath('pending', active)}>
            Ver la cita
          </Link>
        }
      />
    )
  if (hindrance === 'area' && unverifiedHome)
    return (
      <Alert tone="wait" title="Su domicilio está por verificar">
        <p>
          Si ya sabes si llegamos, dilo aquí: le avisamos por correo. Mientras, puedes agendarle una asesoría
          virtual.
        </p>
        {unverifiedHome.taskId && <AreaForm taskId={unverifiedHome.taskId} home={unverifiedHome} />}
      </Alert>
    )
  if (hindrance === 'area')
    return (
      <Alert tone="wait" title="Todavía no llegamos a su domicilio">
        Puedes agendarle una asesoría virtual.
      </Alert>
    )
  if (hindrance === 'not_ready')
    return (
      <Alert tone="wait" title="Todavía no se puede agendar su instalación">
        {missingWords(missing)}
      </Alert>
    )
  if (hindrance === 'concluded')
    return (
      <Alert tone="ok" title="Su cargador ya está instalado">
        Si algo falla, que lo reporte en Instalación. Para otro cargador empieza un proyecto nuevo.
        <Form intent="start-another">
          <AboutCaller booking={booking} />
          <Submit variant="ghost">Empezar otro proyecto</Submit>
        </Form>
      </Alert>
    )
  return hindrance === 'finished' ? <Alert tone="ok" title="Su instalación ya está hecha" /> : null
}

function BookingForm({ booking }: { booking: CallersBooking }) {
  const result = useFormResult('book-for-caller')
  const { agenda, email, firstName, id, kept, service } = booking
  const [requestKey] = useState(booking.requestKey)
  const linkTo = (chosen: object) => forCaller(id, service, { ...kept, ...chosen })
  if (!agenda) return null
  return (
    <>
      <WithWhom agenda={agenda} linkTo={linkTo} preferred={null} />
      <Form intent="book-for-caller">
        <AboutCaller booking={booking} />
        <input type="hidden" name="requestKey" value={result?.values.requestKey ?? requestKey} />
        <DeskSlots
          agenda={agenda}
          linkTo={linkTo}
          outcome={({ name }) =>
            hasMailbox(email)
              ? `Les avisamos a ${firstName} y a ${name}.`
              : `Le avisamos a ${name}. ${firstName} no tiene correo: llámale.`
          }
          submit="Agendar y asignar"
        >
          {service === 'videocall' && <InterestPicker legend="¿De qué quiere hablar?" />}
          <TextArea label="Notas" name="notes" optional maxLength={500} />
        </DeskSlots>
      </Form>
      <AnyHour agenda={agenda} linkTo={linkTo} />
    </>
  )
}
