import { Link, redirect } from 'react-router'
import { nextPath, signInInput } from '../../domain/accounts/schema.ts'
import { signIn } from '../../server/accounts/entry.ts'
import { isHalfSigned } from '../../server/accounts/second-step.ts'
import { caller, site } from '../../server/app/context.ts'
import { submit } from '../lib/submit.ts'
import { useCarriedCode } from '../projects/carried-code.ts'
import { Alert } from '../ui/alert.tsx'
import { Card } from '../ui/card.tsx'
import { Field } from '../ui/field.tsx'
import { Form } from '../ui/form.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { Submit } from '../ui/submit.tsx'
import type { Route } from './+types/signin.ts'
import { endedParam, endedValue } from './ended.ts'
import { formAnswer, orKept, typedFields } from './form-answer.ts'
import { withNext } from './next.ts'
import { session } from './operations.ts'
import { ProviderForm } from './provider-form.tsx'
import { SecondStep } from './second-step.tsx'
import { secondStepAction } from './second-step-action.ts'
import { shownProvider } from './shown-provider.ts'

export const loader = ({ request, context, url }: Route.LoaderArgs) => ({
  demo: context.get(site).demo,
  provider: shownProvider(context),
  next: nextPath.parse(url.searchParams.get('next')),
  ended: url.searchParams.get(endedParam) === endedValue,
  secondStep: isHalfSigned(request.headers.get('cookie')),
})

export const action = async ({ request, context }: Route.ActionArgs) =>
  (await secondStepAction(request, context)) ??
  submit(request, signInInput, async (input) => {
    const { headers, value } = await signIn(context.get(caller), input)
    const here = input.next ? `/signin?next=${encodeURIComponent(input.next)}` : '/signin'
    return redirect(value.secondStep ? here : (input.next ?? '/'), { status: 303, headers })
  })

/** With JavaScript a lost network leaves the form as it is. */
export async function clientAction({ request, serverAction }: Route.ClientActionArgs) {
  const fields = await typedFields(request)
  if (fields.intent !== undefined) return orKept(fields, serverAction)
  const next = fields.next || '/'
  return formAnswer(fields, session.signIn(fields), ({ secondStep }) =>
    redirect(secondStep ? `/signin?next=${encodeURIComponent(next)}` : next),
  )
}

export default function SignIn({ loaderData, actionData }: Route.ComponentProps) {
  const { demo, provider, next, ended, secondStep } = loaderData
  const carried = useCarriedCode()
  if (secondStep) return <SecondStep result={actionData} next={next} />
  return (
    <>
      <Card>
        <PageHeader title="Iniciar sesión" />
        {ended && !actionData && (
          <Alert tone="info" title="Tu sesión terminó">
            {next ? 'Entra otra vez y sigues donde estabas.' : 'Entra otra vez para seguir.'}
          </Alert>
        )}
        <Form result={actionData}>
          <Field
            label="Correo electrónico"
            name="email"
            type="email"
            autoComplete="username"
            inputMode="email"
            enterKeyHint="next"
          />
          <Field
            label="Contraseña"
            name="password"
            type="password"
            autoComplete="current-password"
            enterKeyHint="go"
          />
          {next && <input type="hidden" name="next" value={next} />}
          <Submit>Iniciar sesión</Submit>
        </Form>
        <ProviderForm provider={provider} next={next} terms />
        <p className="text-center text-[0.9375rem]">
          <Link to="/recover-password">¿Olvidaste tu contraseña?</Link>
        </p>
        <p className="text-center text-[0.9375rem] text-mute">
          ¿Aún no tienes cuenta? <Link to={withNext(`/signup${carried}`, next)}>Crear cuenta</Link>
        </p>
        <p className="text-center text-[0.9375rem] text-mute">
          <Link to={`/approach${carried}`}>Cómo funciona y cuánto cuesta</Link>
        </p>
      </Card>
      {demo && <DemoSignIns people={demo} />}
    </>
  )
}

function DemoSignIns({ people }: { people: readonly { email: string; label: string }[] }) {
  return (
    <Card title="Mundo de demostración">
      <p className="text-sm text-mute">
        Estas cuentas son de mentira. La contraseña de todas es{' '}
        <code className="text-ink">carga-en-casa</code>.
      </p>
      <ul className="grid gap-1 text-sm">
        {people.map(({ email, label }) => (
          <li key={email} className="flex flex-wrap justify-between gap-x-4">
            <code>{email}</code>
            <span className="text-mute">{label}</span>
          </li>
        ))}
      </ul>
    </Card>
  )
}
