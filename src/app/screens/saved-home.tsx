import { MapPin, Pencil } from 'lucide-react'
import { Form, Submit } from '../../kit/form/form.tsx'
import { Help } from '../../kit/help.tsx'
import type { AddressRow } from '../../platform/database/schema/projects.ts'
import {
  addressLine,
  areaNotices,
  dwellingLabels,
  type Home,
  homeLine,
  parkingLabels,
} from '../../projects/rules/address.ts'
import { withProject } from '../../projects/rules/homes.ts'
import { pinOf } from '../../projects/rules/pin.ts'
import { placeOf } from '../../projects/rules/postal-codes.ts'
import { formatPhone, mapLink } from '../../shared/format.ts'
import { municipalityLabel, type StateSlug, stateLabel } from '../../shared/places.ts'
import { Alert } from '../../ui/alert.tsx'
import { buttonClass, LinkButton } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { DefinitionList } from '../../ui/definition-list.tsx'
import { OutOfArea } from './out-of-area.tsx'

/** A stored home, to be read: where it is, what helps to get there, and what we can't promise there yet. */
export function SavedHome({ address, isQuoted }: { address: AddressRow; isQuoted: boolean }) {
  const { area, receiverName, receiverPhone } = address
  const line = addressLine(address)
  return (
    <div className="grid max-w-3xl gap-4">
      {area === 'outside' && (
        <OutOfArea postalCode={null} isAsked={address.wantsNoticeAt !== null} fixAt="/address?editar" />
      )}
      {area === 'to_verify' && <Alert tone="wait" title={areaNotices.to_verify} />}
      {isQuoted && <QuotedNotice />}
      <Card title="Dónde está">
        <div>
          <p className="text-lg font-semibold wrap-anywhere">{line}</p>
          <p className="text-mute">{stateLabel(address.state as StateSlug)}</p>
        </div>
        <DefinitionList
          items={[
            { term: 'Entre calles', value: address.betweenStreets },
            { term: 'Referencias', value: address.references },
            { term: 'Acceso', value: address.gateNotes },
            { term: 'Recibe', value: receiverName },
            {
              term: 'Teléfono de quien recibe',
              value: receiverPhone && <span className="whitespace-nowrap">{formatPhone(receiverPhone)}</span>,
            },
            { term: 'Vivienda', value: wordsOf(dwellingLabels, address.dwelling) },
            { term: 'Estacionamiento', value: wordsOf(parkingLabels, address.parking) },
            { term: 'Servicio de CFE', value: address.cfeServiceNumber },
          ]}
        />
        <div className="grid gap-3 sm:flex">
          <LinkButton to="/address?editar" variant="ghost">
            <Pencil aria-hidden className="size-5" />
            Editar
          </LinkButton>
          {address.street && (
            <a
              className={buttonClass('ghost')}
              href={mapLink(line, pinOf(address))}
              target="_blank"
              rel="noreferrer"
            >
              <MapPin aria-hidden className="size-5" />
              Ver en el mapa
            </a>
          )}
        </div>
      </Card>
    </div>
  )
}

const wordsOf = (labels: Record<string, string>, value: string) => labels[value] ?? null

const otherId = 'otro-domicilio'

/** A second home, or a second charger: a project of its own beside this one. */
export const OtherHome = ({ refused, to }: { refused: string | null; to: string }) => (
  <Card id={otherId} title="¿Otro domicilio u otro cargador?" className="max-w-3xl">
    <p className="text-mute">
      {refused ?? 'Tendrá su propia visita, cotización y pagos. Lo de este domicilio sigue igual.'}
    </p>
    {!refused && (
      <LinkButton variant="ghost" to={to} className="sm:justify-self-start">
        Agregar otro domicilio
      </LinkButton>
    )}
  </Card>
)

/** For a home without an address: it goes as it came, and the page of another one follows. */
export const DiscardHome = ({ home, nextHome }: { home: string; nextHome: string }) => (
  <Form intent="discard-home" action={withProject('/address', nextHome)}>
    <input type="hidden" name="home" value={home} />
    <Submit variant="ghost" className="justify-self-start max-sm:w-full">
      Descartar este domicilio
    </Submit>
  </Form>
)

const kept = [
  'postalCode',
  'colonia',
  'street',
  'outerNumber',
  'innerNumber',
  'regionGroup',
  'state',
] as const

/** The place of an accepted quote: it stays as it is, and the customer can still change how to get there. */
export const QuotedHome = ({ address, home }: { address: AddressRow; home: Home }) => (
  <Card title="Dónde está">
    {kept.map((name) => (
      <input key={name} type="hidden" name={name} value={address[name] ?? ''} />
    ))}
    {/* What the postal code already says is not repeated. */}
    {placeOf(address.postalCode).area !== 'served' && (
      <>
        <input type="hidden" name="municipality" value={municipalityLabel(address.municipality)} />
        <input type="hidden" name="confirmInArea" value="on" />
      </>
    )}
    <p className="wrap-anywhere">
      {homeLine(home)}, {home.colonia}, {municipalityLabel(home.municipality)}
    </p>
    <QuotedNotice />
  </Card>
)

const QuotedNotice = () => (
  <Alert
    tone="info"
    title="Tu cotización es para este domicilio"
    actions={
      <>
        <LinkButton variant="ghost" to={`#${otherId}`}>
          Instalar en otro domicilio
        </LinkButton>
        <Help about={about} />
      </>
    }
  >
    La calle, el número y el código postal ya no se cambian aquí. Otro domicilio lleva su propia visita y
    cotización; si te cambiaste de casa, escríbenos y lo vemos contigo.
  </Alert>
)

const about = 'Hola, cambié de domicilio y ya acepté mi cotización'
