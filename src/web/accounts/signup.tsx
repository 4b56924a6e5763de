import { Link, redirect } from 'react-router'
import { signUpInput } from '../../domain/account.ts'
import { signUp } from '../../server/accounts/entry.ts'
import { caller, site } from '../../server/context.ts'
import { submit } from '../submit.ts'
import { Card } from '../ui/card.tsx'
import { Field } from '../ui/field.tsx'
import { Form } from '../ui/form.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { Submit } from '../ui/submit.tsx'
import type { Route } from './+types/signup.ts'

export const loader = ({ context }: Route.LoaderArgs) => {
  const { termsUrl, privacyUrl } = context.get(site)
  return { termsUrl, privacyUrl }
}

export const action = ({ request, context }: Route.ActionArgs) =>
  submit(request, signUpInput, async (input) => {
    const { headers } = await signUp(context.get(caller), input)
    return redirect('/completion', { status: 303, headers })
  })

export default function SignUp({ loaderData: { termsUrl, privacyUrl }, actionData }: Route.ComponentProps) {
  return (
    <Card>
      <PageHeader title="Crear cuenta" subtitle="Agenda tu visita técnica en unos minutos." />
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
          autoComplete="new-password"
          enterKeyHint="go"
          help="Al menos 8 caracteres. Una frase corta funciona muy bien."
        />
        <Submit>Crear cuenta</Submit>
        <p className="text-sm text-mute">
          Al crear tu cuenta aceptas los <a href={termsUrl}>términos y condiciones</a> y el{' '}
          <a href={privacyUrl}>aviso de privacidad</a>.
        </p>
      </Form>
      <p className="text-center text-[0.9375rem] text-mute">
        ¿Ya tienes cuenta? <Link to="/signin">Iniciar sesión</Link>
      </p>
    </Card>
  )
}
