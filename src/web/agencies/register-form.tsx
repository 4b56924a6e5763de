import { useState } from 'react'
import { benefitFrom, benefitWords } from '../../domain/agencies/codes.ts'
import type { codesToGive } from '../../server/agencies/counter.ts'
import { ActionBar } from '../ui/action-bar.tsx'
import { Card } from '../ui/card.tsx'
import { Checkbox } from '../ui/checkbox.tsx'
import { Field } from '../ui/field.tsx'
import { Form, type FormResult } from '../ui/form.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { Select } from '../ui/select.tsx'
import { Submit } from '../ui/submit.tsx'
import { listPath } from './list-query.ts'

export type Registering = {
  codes: Awaited<ReturnType<typeof codesToGive>>
  requestKey: string
  privacyUrl: string
}

type RegisterFormProps = Registering & { result: FormResult | undefined }

/** Somebody at the counter, registered in a minute: who they are, their car, and that they agree. */
export function RegisterForm({ codes, privacyUrl, requestKey, result }: RegisterFormProps) {
  // The screen may refresh by itself: the form goes on being the one that was begun.
  const [key] = useState(requestKey)
  return (
    <>
      <PageHeader
        title="Registrar cliente"
        subtitle="Le mandas un enlace y crea su cuenta desde su teléfono."
        back={{ to: listPath, label: 'Clientes' }}
      />
      <Form result={result} className="max-w-2xl">
        <input type="hidden" name="requestKey" value={result?.values.requestKey ?? key} />
        <Card title="Quién es">
          <div className="grid gap-5 sm:grid-cols-2">
            <Field label="Nombre" name="name" autoComplete="off" autoCapitalize="words" enterKeyHint="next" />
            <Field
              label="Teléfono"
              name="phone"
              type="tel"
              inputMode="tel"
              autoComplete="off"
              enterKeyHint="next"
            />
          </div>
          <Field
            label="Correo electrónico"
            name="email"
            type="email"
            inputMode="email"
            autoComplete="off"
            enterKeyHint="next"
            optional
            help="Si lo das, también le llega el enlace por correo."
          />
        </Card>
        <Card title="Su auto">
          <div className="grid gap-5 sm:grid-cols-3">
            <Field label="Marca" name="vehicleBrand" autoComplete="off" optional />
            <Field label="Modelo" name="vehicleModel" autoComplete="off" optional />
            <Field label="Año" name="vehicleYear" inputMode="numeric" autoComplete="off" optional />
          </div>
          {/* Also where the last one stopped serving meanwhile: that is said under it. */}
          {(codes.length > 0 || result?.errors.code) && <CodeSelect codes={codes} />}
        </Card>
        <Checkbox
          name="consent"
          value="yes"
          label="Está de acuerdo en que guardemos sus datos para enviarle su enlace"
        />
        <p className="text-sm text-mute">
          Muéstrale el{' '}
          <a href={privacyUrl} target="_blank" rel="noreferrer">
            aviso de privacidad
          </a>
          . Si no crea su cuenta en 90 días, borramos lo que escribiste.
        </p>
        <ActionBar>
          <Submit name="intent" value="register">
            Registrar y crear enlace
          </Submit>
        </ActionBar>
      </Form>
    </>
  )
}

const CodeSelect = ({ codes }: Pick<Registering, 'codes'>) => (
  <Select
    label="Código"
    name="code"
    placeholder="Sin código"
    optional
    options={codes.map(({ code, kind, value }) => ({
      value: code,
      label: `${code} · ${benefitWords(benefitFrom({ kind, value }))}`,
    }))}
    defaultValue={codes[0]?.code}
  />
)
