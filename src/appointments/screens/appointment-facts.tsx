import { MapPin, MessageCircle, Phone } from 'lucide-react'
import type { ComponentProps, ReactNode } from 'react'
import { PhotoGrid } from '../../photos/photo-grid.tsx'
import { addressLine, dwellingLabels, parkingLabels } from '../../projects/rules/address.ts'
import { chargerInWords, vehicleInWords } from '../../projects/rules/equipment.ts'
import { CustomerLink } from '../../projects/screens/customer-link.tsx'
import {
  dateTime,
  duration,
  formatPhone,
  fullName,
  mapLink,
  telLink,
  whatsappLink,
} from '../../shared/format.ts'
import { buttonClass } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { DefinitionList } from '../../ui/definition-list.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import type { Fault } from '../faults.ts'
import type { AppointmentDetail } from '../project-appointments.ts'
import { interestLabel, serviceFacts } from '../rules/appointment.ts'
import { WarrantyBadge } from './state-badge.tsx'

const labelIn = (labels: Record<string, string>, value: string) => labels[value] ?? value

type AppointmentHeaderProps = Pick<ComponentProps<typeof PageHeader>, 'actions' | 'back'> & {
  appointment: AppointmentDetail
  badge: ReactNode
  /** When it is, to who carries it out. */
  when?: string | undefined
}

/** Who and where; the folio is small, and names what is done here in the phone's list of what waits. */
export const AppointmentHeader = ({ appointment, badge, when, ...header }: AppointmentHeaderProps) => (
  <PageHeader
    title={fullName(appointment.customer) || serviceFacts[appointment.service].label}
    subtitle={
      <span
        data-customer={fullName(appointment.customer)}
        data-folio={appointment.folio}
        data-starts-at={appointment.startsAt.toISOString()}
        className="grid gap-1.5"
      >
        {appointment.address && <span className="text-ink">{addressLine(appointment.address)}</span>}
        {when && <span className="font-semibold text-ink first-letter:uppercase">{when}</span>}
        <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
          {badge}
          <span className="text-sm">{appointment.folio}</span>
        </span>
      </span>
    }
    {...header}
  />
)

type AppointmentFactsProps = {
  appointment: AppointmentDetail
  stage?: string
  /** It is its reader's, who has the ways to the customer above. */
  isOwn?: boolean
}

/** When, for whom and where an appointment is, with the links the assignee needs on the way. */
export function AppointmentFacts({ appointment, stage, isOwn = false }: AppointmentFactsProps) {
  const { service, startsAt, minutes, customer, notes, assignee, confirmed } = appointment
  return (
    <>
      {appointment.faults.map((fault) => (
        <FaultCard key={fault.id} fault={fault} />
      ))}
      <Card title={serviceFacts[service].label}>
        <DefinitionList
          items={[
            { term: 'Fecha', value: dateTime(startsAt) },
            { term: 'Duración', value: duration(minutes) },
            {
              term: 'Cliente',
              value: <CustomerLink id={customer.fileId}>{fullName(customer)}</CustomerLink>,
            },
            {
              term: serviceFacts[service].by === 'analyst' ? 'Analista' : 'Técnico',
              value: isOwn ? null : assignee && `${assignee.name}${confirmed ? '' : ' (provisional)'}`,
            },
            { term: 'Tema', value: interestLabel(appointment.interest) },
            { term: 'Etapa', value: stage },
            { term: 'Auto', value: vehicleInWords(appointment.vehicle) },
            { term: 'Cargador', value: chargerInWords(appointment.charger) },
            {
              term: 'Notas del cliente',
              value: notes && <span className="whitespace-pre-line">{notes}</span>,
            },
          ]}
        />
        {customer.phone && !isOwn && <Contact phone={customer.phone} about={appointment} />}
      </Card>
      {appointment.address && <Place address={appointment.address} pin={appointment.pin} isOwn={isOwn} />}
    </>
  )
}

type ContactProps = { phone: string; about: Pick<AppointmentDetail, 'folio' | 'service'> }

function Contact({ phone, about: { folio, service } }: ContactProps) {
  return (
    <div className="grid gap-3 sm:grid-cols-2">
      <a className={buttonClass('ghost')} href={telLink(phone)}>
        <Phone aria-hidden className="size-5" />
        <span className="sr-only">Llamar al</span>
        <span className="whitespace-nowrap">{formatPhone(phone)}</span>
      </a>
      <a
        className={buttonClass('ghost')}
        href={whatsappLink(
          phone,
          `Hola, te escribo por tu ${serviceFacts[service].label.toLowerCase()} ${folio}.`,
        )}
      >
        <MessageCircle aria-hidden className="size-5" />
        WhatsApp
      </a>
    </div>
  )
}

type PlaceProps = Pick<AppointmentDetail, 'pin'> & {
  address: NonNullable<AppointmentDetail['address']>
  isOwn: boolean
}

function Place({ address, isOwn, pin }: PlaceProps) {
  const line = addressLine(address)
  return (
    <Card title="Domicilio">
      {!isOwn && (
        <>
          <p>{line}</p>
          <a className={buttonClass('ghost')} href={mapLink(line, pin)}>
            <MapPin aria-hidden className="size-5" />
            Abrir en el mapa
          </a>
        </>
      )}
      <DefinitionList
        items={[
          { term: 'Entre calles', value: address.betweenStreets },
          { term: 'Referencias', value: isOwn ? null : address.references },
          { term: 'Acceso', value: isOwn ? null : address.gateNotes },
          { term: 'Recibe', value: isOwn ? null : address.receiverName },
          {
            term: 'Teléfono de quien recibe',
            value: isOwn
              ? null
              : address.receiverPhone && (
                  <a href={telLink(address.receiverPhone)}>{formatPhone(address.receiverPhone)}</a>
                ),
          },
          { term: 'Vivienda', value: labelIn(dwellingLabels, address.dwelling) },
          { term: 'Estacionamiento', value: labelIn(parkingLabels, address.parking) },
          { term: 'Servicio de CFE', value: address.cfeServiceNumber },
        ]}
      />
    </Card>
  )
}

/** What a customer reported of an installation, for the assignee who checks it and for the office. */
function FaultCard({ fault }: { fault: Fault }) {
  const { closedAt, createdAt, description, photos, visit } = fault
  return (
    <Card title="Falla reportada" aside={<WarrantyBadge />}>
      <p className="whitespace-pre-line wrap-anywhere">{description}</p>
      <p className="text-sm text-mute">
        La reportó el {dateTime(createdAt)}
        {closedAt ? ` Se atendió el ${dateTime(closedAt)}` : visit ? ` La atiende ${visit.folio}.` : ''}
      </p>
      {photos.length > 0 && <PhotoGrid kind="installation" files={photos} reader="office" />}
    </Card>
  )
}
