import { z } from 'zod'
import { addressInput, warnings } from '../../domain/address.ts'
import { dwellingLabels, parkingLabels } from '../../domain/dwelling.ts'
import { areaNotices } from '../../domain/locality.ts'
import { municipalities, municipalityLabel, regionGroups } from '../../domain/regions.ts'
import { states } from '../../domain/states.ts'
import { bookedVisitOf } from '../../server/addresses/booked-visit.ts'
import { saveAddress } from '../../server/addresses/changes.ts'
import { db } from '../../server/context.ts'
import { openProjectOf } from '../../server/projects/queries.ts'
import { toast } from '../flash.ts'
import { dateTime, formatPhone } from '../format.ts'
import { someone } from '../someone.ts'
import { submit } from '../submit.ts'
import { ActionBar } from '../ui/action-bar.tsx'
import { Alert } from '../ui/alert.tsx'
import { Card } from '../ui/card.tsx'
import { Checkbox } from '../ui/checkbox.tsx'
import { Details } from '../ui/details.tsx'
import { Field, TextArea } from '../ui/field.tsx'
import { Form } from '../ui/form.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { Select } from '../ui/select.tsx'
import { Submit } from '../ui/submit.tsx'
import type { Route } from './+types/address.ts'

export const loader = async ({ context }: Route.LoaderArgs) => {
  const [project, visit] = await Promise.all([
    openProjectOf(context.get(db), someone(context).id),
    bookedVisitOf(context.get(db), someone(context)),
  ])
  return {
    address: project?.address ?? null,
    visit: visit && { folio: visit.folio, startsAt: visit.startsAt },
  }
}

/** The address itself, and how the form stood when it was shown. */
const formInput = z.intersection(
  addressInput,
  z.object({
    version: z.coerce.number().int().positive().optional(),
    moveVisit: z.string().optional(),
  }),
)

export const action = ({ request, context }: Route.ActionArgs) =>
  submit(request, formInput, async ({ version, moveVisit, ...address }) => {
    const wish = { address, version: version ?? null, moveVisit: moveVisit !== undefined }
    await saveAddress(context.get(db), someone(context), wish, new Date())
    const notice = areaNotices[address.area] ?? warnings(address).cfeServiceNumber
    return toast(
      address.area === 'served' ? '/technics-visit' : '/address',
      'Guardamos tu domicilio',
      notice ?? undefined,
    )
  })

const options = (labels: Record<string, string>) =>
  Object.entries(labels).map(([value, label]) => ({ value, label }))

export default function AddressScreen({ loaderData: { address, visit }, actionData }: Route.ComponentProps) {
  const notice = address && areaNotices[address.area]
  return (
    <>
      <PageHeader title="Mi domicilio" subtitle="Aquí te visitamos e instalamos tu cargador." />
      {notice && <Alert tone="wait" title={notice} />}
      <Form result={actionData} className="max-w-3xl gap-6">
        {address && <input type="hidden" name="version" value={address.version} />}
        <Place address={address} isWrong={wrongPlace.some((name) => actionData?.errors[name])} />
        <Home address={address} />
        <Arrival address={address} />
        {visit && (
          <Card title={`Tienes visita el ${dateTime(visit.startsAt)}`}>
            <Checkbox
              label={`La visita ${visit.folio} va a esta dirección`}
              name="moveVisit"
              defaultChecked
            />
          </Card>
        )}
        <ActionBar>
          <Submit>Guardar</Submit>
        </ActionBar>
      </Form>
    </>
  )
}

/** Named by the postal code alone, unless it is outside of what it can name. */
const wrongPlace = ['regionGroup', 'municipality', 'state'] as const

type PartProps = { address: Route.ComponentProps['loaderData']['address'] }

function Place({ address, isWrong }: PartProps & { isWrong: boolean }) {
  const typed = address?.area === 'served' ? null : address
  return (
    <Card title="Dónde está">
      <div className="grid gap-5 sm:grid-cols-2">
        <Field
          label="Código postal"
          name="postalCode"
          inputMode="numeric"
          autoComplete="postal-code"
          maxLength={10}
          defaultValue={address?.postalCode}
          help="Con él sabemos tu alcaldía o municipio."
        />
        <Field label="Colonia" name="colonia" autoComplete="address-level3" defaultValue={address?.colonia} />
        <Field
          className="sm:col-span-2"
          label="Calle"
          name="street"
          autoComplete="address-line1"
          defaultValue={address?.street}
        />
        <Field
          label="Número exterior"
          name="outerNumber"
          defaultValue={address?.outerNumber}
          help="Escribe S/N si no tiene."
        />
        <Field
          label="Número interior"
          name="innerNumber"
          optional
          defaultValue={address?.innerNumber ?? ''}
        />
      </div>
      <Details
        summary={
          address
            ? `Alcaldía o municipio: ${municipalityLabel(address.municipality)}`
            : 'Alcaldía o municipio'
        }
        open={typed !== null || isWrong}
      >
        <p className="text-sm text-mute">
          Lo llenamos con tu código postal. Escríbelo solo si vives fuera de la Ciudad de México y su área.
        </p>
        <div className="grid gap-5 sm:grid-cols-2">
          <Select
            label="Región"
            name="regionGroup"
            optional
            placeholder="Según mi código postal"
            options={regionGroups.map(({ id, label }) => ({ value: id, label }))}
            defaultValue={typed?.regionGroup}
          />
          <Field
            label="Alcaldía o municipio"
            name="municipality"
            optional
            list="municipalities"
            autoComplete="address-level2"
            defaultValue={typed ? municipalityLabel(typed.municipality) : ''}
          />
          <datalist id="municipalities">
            {municipalities.map(({ slug, label }) => (
              <option key={slug} value={label} />
            ))}
          </datalist>
          <Select
            label="Estado"
            name="state"
            optional
            placeholder="Según mi código postal"
            options={states.map(({ slug, label }) => ({ value: slug, label }))}
            defaultValue={typed?.state}
          />
        </div>
        <Checkbox
          label="Mi domicilio sí está en Toluca, Lerma, Huixquilucan o Naucalpan"
          name="confirmInArea"
          defaultChecked={address?.area === 'to_verify'}
          help="Márcalo si tu código postal no aparece en nuestra zona. Te llamamos para confirmarlo."
        />
      </Details>
    </Card>
  )
}

function Home({ address }: PartProps) {
  return (
    <Card title="Cómo es">
      <div className="grid gap-5 sm:grid-cols-2">
        <Select
          label="Tipo de vivienda"
          name="dwelling"
          placeholder="Elige una opción"
          options={options(dwellingLabels)}
          defaultValue={address?.dwelling}
        />
        <Select
          label="Estacionamiento"
          name="parking"
          placeholder="Elige una opción"
          options={options(parkingLabels)}
          defaultValue={address?.parking}
        />
        <Field
          className="sm:col-span-2"
          label="Número de servicio de CFE"
          name="cfeServiceNumber"
          optional
          inputMode="numeric"
          defaultValue={address?.cfeServiceNumber ?? ''}
          help="12 dígitos; está en tu recibo de luz."
        />
      </div>
    </Card>
  )
}

function Arrival({ address }: PartProps) {
  const phone = address?.receiverPhone
  return (
    <Details summary="Para llegar más fácil (opcional)" open={Boolean(address)}>
      <div className="grid gap-5 sm:grid-cols-2">
        <Field
          label="Entre calles"
          name="betweenStreets"
          optional
          defaultValue={address?.betweenStreets ?? ''}
        />
        <Field label="Quién recibe" name="receiverName" optional defaultValue={address?.receiverName ?? ''} />
        <Field
          label="Teléfono de quien recibe"
          name="receiverPhone"
          type="tel"
          inputMode="tel"
          optional
          defaultValue={phone ? formatPhone(phone) : ''}
        />
      </div>
      <TextArea
        label="Referencias"
        name="references"
        optional
        maxLength={300}
        defaultValue={address?.references ?? ''}
      />
      <TextArea
        label="Notas de acceso"
        name="gateNotes"
        optional
        maxLength={300}
        defaultValue={address?.gateNotes ?? ''}
      />
    </Details>
  )
}
