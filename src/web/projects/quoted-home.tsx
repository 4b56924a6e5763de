import { type Home, homeLine } from '../../domain/projects/address.ts'
import { municipalityLabel } from '../../domain/shared/places.ts'
import type { AddressRow } from '../../server/platform/database/schema/project-schema.ts'
import { Help } from '../app/help.tsx'
import { Alert } from '../ui/alert.tsx'
import { Card } from '../ui/card.tsx'

const kept = [
  'postalCode',
  'colonia',
  'street',
  'outerNumber',
  'innerNumber',
  'regionGroup',
  'state',
] as const

/** The place that an accepted quote is for: it stays as it is, and how to get there is still theirs to say. */
export const QuotedHome = ({ address, home }: { address: AddressRow; home: Home }) => (
  <Card title="Dónde está">
    {kept.map((name) => (
      <input key={name} type="hidden" name={name} value={address[name] ?? ''} />
    ))}
    {/* What the postal code says by itself is not said again. */}
    {address.area !== 'served' && (
      <>
        <input type="hidden" name="regionGroup" value={address.regionGroup ?? ''} />
        <input type="hidden" name="municipality" value={municipalityLabel(address.municipality)} />
        <input type="hidden" name="state" value={address.state} />
        {address.area === 'to_verify' && <input type="hidden" name="confirmInArea" value="on" />}
      </>
    )}
    <p className="wrap-anywhere">
      {homeLine(home)}, {home.colonia}, {municipalityLabel(home.municipality)}
    </p>
    <Alert tone="info" title="Tu cotización es para este domicilio" actions={<Help about={about} />}>
      La calle, el número y el código postal ya no se cambian aquí. ¿Quieres instalar en otro domicilio?
      Escríbenos y lo vemos contigo.
    </Alert>
  </Card>
)

const about = 'Hola, quiero instalar mi cargador en otro domicilio'
