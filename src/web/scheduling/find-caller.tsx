import { ChevronRight } from 'lucide-react'
import { Link, Form as SearchForm } from 'react-router'
import { formatPhone, thousands } from '../../domain/shared/format.ts'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { Details } from '../ui/details.tsx'
import { Field } from '../ui/field.tsx'
import { Form, type FormResult } from '../ui/form.tsx'
import { Submit } from '../ui/submit.tsx'
import { forCaller, newAppointmentPath } from './new-appointment-path.ts'
import type { FoundCallers } from './new-appointment-server.ts'

type FindCallerProps = { found: FoundCallers; result: FormResult | undefined }

/** Who calls: a customer we know, found by name, e-mail or phone, or somebody new. */
export function FindCaller({ found, result }: FindCallerProps) {
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
      <Details summary="Es alguien nuevo" open={isUnknown || result !== undefined} key={text}>
        <NewCustomer result={result} text={isUnknown ? text : ''} />
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
      {more > 0 && (
        <p className="text-sm text-mute">Hay {thousands(more)} más. Escribe algo más para acercarte.</p>
      )}
    </div>
  )
}

/** What was looked for in vain is where it belongs already. */
function NewCustomer({ result, text }: { result: FormResult | undefined; text: string }) {
  const isEmail = text.includes('@')
  const isPhone = /^[\d\s()+.-]+$/.test(text)
  return (
    <Form result={result}>
      <input type="hidden" name="intent" value="create-customer" />
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
      <Submit>Registrar y seguir</Submit>
    </Form>
  )
}
