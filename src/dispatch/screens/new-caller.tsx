import { type ReactNode, useState } from 'react'
import { Form as SearchForm, useFetcher } from 'react-router'
import { Checkbox, Field, Select } from '../../kit/form/field.tsx'
import { Form, Submit, useFormResult } from '../../kit/form/form.tsx'
import { isLost } from '../../kit/network.ts'
import { canBeClaimed } from '../../projects/rules/address.ts'
import { type Place, placeOf } from '../../projects/rules/postal-codes.ts'
import { KindFields, StreetFields, Suggestions } from '../../projects/screens/place-fields.tsx'
import { forCaller, newAppointmentPath } from '../../scheduling/screens/board-query.ts'
import { municipalities, municipalityLabel, states } from '../../shared/places.ts'
import { Alert } from '../../ui/alert.tsx'
import { Button, LinkButton } from '../../ui/button.tsx'
import type { KnownCallers } from '../../users/commands.ts'
import type { AskedPlace } from './new-appointment-server.ts'

type NewCallerProps = {
  /** What was searched for: it is in the field it belongs to. */
  text: string
  /** The postal code in the address of the page. */
  asked: AskedPlace
  /** The board to lead back to. */
  kept: Record<string, string>
}

/** A caller who is not a customer yet: the postal code first, which says at once whether we go there. */
export function NewCaller({ asked, kept, text }: NewCallerProps) {
  const result = useFormResult('create-customer')
  const fetcher = useFetcher<{ asked: AskedPlace }>()
  const [code, setCode] = useState(result?.values.postalCode ?? asked?.code ?? '')
  const [isCallOnly, callOnly] = useState(result?.values.callOnly !== undefined)
  const known = [fetcher.data?.asked, asked].find((one) => one?.code === code)
  const place = /^\d{5}$/.test(code) ? (known?.place ?? placeOf(code)) : null
  const change = (typed: string) => {
    setCode(typed)
    if (!isLost() && /^\d{5}$/.test(typed)) void fetcher.load(`${newAppointmentPath}?codigo=${typed}`)
  }
  const isPhone = /^[\d\s()+.-]+$/.test(text)
  const phone = <Phone text={isPhone ? text : ''} />
  return (
    <>
      <Checkbox
        form={formId}
        label="Solo quiere una asesoría virtual: sin domicilio"
        name="callOnly"
        defaultChecked={isCallOnly}
        onChange={({ currentTarget }) => callOnly(currentTarget.checked)}
      />
      <SearchForm method="get" className="grid items-end gap-3 sm:grid-cols-[1fr_auto]">
        {Object.entries({ ...kept, q: text }).map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        <Field
          label="Código postal"
          name="codigo"
          inputMode="numeric"
          autoComplete="off"
          maxLength={10}
          defaultValue={code}
          error={result?.errors.postalCode}
          autoFocus={text !== '' && !result && !asked}
          data-shows-error="postalCode"
          onChange={({ currentTarget }) => change(currentTarget.value.trim())}
        />
        <span className="hidden noscript:block">
          <Button type="submit" variant="ghost">
            ¿Llegamos?
          </Button>
        </span>
      </SearchForm>
      <div aria-live="polite">{place && <Answer place={place} />}</div>
      <Form intent="create-customer" id={formId}>
        <input type="hidden" name="postalCode" value={code} />
        <Who text={isPhone ? '' : text}>{!isPhone && phone}</Who>
        {place && !isCallOnly && (
          <div className="grid gap-5 sm:grid-cols-2">
            {place.area !== 'served' && <OutsideFields place={place} />}
            <StreetFields address={null} colonias={known?.colonias ?? []} />
            <KindFields address={null} />
          </div>
        )}
        {/* It was searched for: nothing is to be written. */}
        {isPhone && <div className="grid gap-5 sm:grid-cols-2">{phone}</div>}
        {/* The first button is the one that Enter presses: it only asks again. */}
        <Submit>Registrar y elegir hora</Submit>
        <KnownCallersChoice kept={kept} />
      </Form>
    </>
  )
}

/** Whether we go there. */
function Answer({ place }: { place: Place }) {
  if (place.area === 'served')
    return <Alert tone="ok" title={`Sí llegamos: ${municipalityLabel(place.municipality)}`} />
  if (canBeClaimed(place))
    return (
      <Alert tone="wait" title="Por ese código postal no sabemos si llegamos">
        Si su domicilio está en Toluca, Lerma, Huixquilucan o Naucalpan, márcalo abajo y queda por verificar.
        Si no, todavía no llegamos: puedes agendarle una asesoría virtual.
      </Alert>
    )
  return (
    <Alert tone="wait" title="Todavía no llegamos a ese código postal">
      Puedes agendarle una asesoría virtual. Con su domicilio le avisamos cuando lleguemos.
    </Alert>
  )
}

const formId = 'cliente-nuevo'

const Phone = ({ text }: { text: string }) => (
  <Field label="Teléfono" name="phone" type="tel" inputMode="tel" autoComplete="off" defaultValue={text} />
)

/** The searched text is already in the field it belongs to. */
function Who({ text, children }: { text: string; children: ReactNode }) {
  const isEmail = text.includes('@')
  return (
    <div className="grid gap-5 sm:grid-cols-2">
      <Field
        label="Nombre"
        name="name"
        autoComplete="off"
        defaultValue={isEmail ? '' : text}
        maxLength={80}
      />
      <Field label="Apellidos" name="lastname" autoComplete="off" maxLength={80} />
      {children}
      <Field
        label="Correo electrónico"
        name="email"
        type="email"
        optional
        inputMode="email"
        autoComplete="off"
        defaultValue={isEmail ? text : ''}
        help="Le llega un correo para elegir su contraseña. Sin correo no entra a su cuenta."
      />
    </div>
  )
}

/** Where it is, as its postal code does not say it, and what becomes of a home outside our area. */
const OutsideFields = ({ place }: { place: Place }) => (
  <>
    <Field label="Alcaldía o municipio" name="municipality" list="municipalities" autoComplete="off" />
    <Suggestions id="municipalities" words={municipalities.map(({ label }) => label)} />
    {place.area === 'elsewhere' && (
      <Select
        label="Estado"
        name="state"
        placeholder="Elige el estado"
        options={states.map(({ slug, label }) => ({ value: slug, label }))}
      />
    )}
    {canBeClaimed(place) && (
      <Checkbox
        className="sm:col-span-2"
        label="Su domicilio sí está en Toluca, Lerma, Huixquilucan o Naucalpan"
        name="confirmInArea"
        help="Queda por verificar."
      />
    )}
    <Checkbox className="sm:col-span-2" label="Avísale cuando lleguemos" name="notice" defaultChecked />
  </>
)

/** Whom the form may have meant: one press goes on with them, another registers somebody else with the same phone. */
function KnownCallersChoice({ kept }: Pick<NewCallerProps, 'kept'>) {
  const details = useFormResult('create-customer')?.refusal?.details as Partial<KnownCallers> | undefined
  const known = details?.known ?? []
  if (known.length === 0) return null
  return (
    <div className="flex flex-wrap gap-3">
      {known.map(({ id, name }) => (
        <LinkButton key={id} to={forCaller(id, undefined, kept)}>
          Ya es cliente: abrir a {name}
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
