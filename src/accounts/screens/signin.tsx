import { type ReactNode, Suspense } from 'react'
import { redirect } from 'react-router'
import { useCarriedCode } from '../../agencies/screens/own-code.tsx'
import { redirectWithToast } from '../../kit/flash.ts'
import { Field } from '../../kit/form/field.tsx'
import { Form, Submit, useFormResult } from '../../kit/form/form.tsx'
import { lazyOr } from '../../kit/later.tsx'
import { type LoaderContext, requestOf } from '../../kit/request.ts'
import { checked, form, forms } from '../../kit/submit.ts'
import { refuse } from '../../shared/refusal.ts'
import { noFields } from '../../shared/schema.ts'
import { Alert } from '../../ui/alert.tsx'
import { Card, Details } from '../../ui/card.tsx'
import { useHydrated } from '../../ui/hydrated.ts'
import { Link } from '../../ui/link.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { signIn } from '../entry.ts'
import { endedParam, endedValue, withNext } from '../rules/paths.ts'
import { nextPath, secondStepInput, signInInput } from '../rules/schema.ts'
import { phoneCodeMinutes } from '../rules/sessions.ts'
import { type StepCode, secondStepWays, sendPhoneCode, takeSecondStep, tooLate } from '../second-factor.ts'
import { forgetChallenge, isHalfSigned, type SecondStepWays } from '../second-step.ts'
import type { Route } from './+types/signin.ts'
import { formAnswer, orKept, typedFields } from './form-answer.ts'
import { shownProvider } from './forms.ts'
import { sessionOperations } from './operations.ts'
import { PasswordField, useCanUsePasskeys } from './password-card.tsx'
import { ProviderForm } from './provider-form.tsx'

export const loader = async ({ request, context, url }: Route.LoaderArgs) => ({
  demo: requestOf(context).site.demo,
  canAdvance: requestOf(context).advanceDay !== null,
  hasOutbox: requestOf(context).outbox !== null,
  provider: shownProvider(context),
  next: nextPath.parse(url.searchParams.get('next')),
  ended: url.searchParams.get(endedParam) === endedValue,
  secondStep:
    isHalfSigned(request.headers.get('cookie')) && (await secondStepWays(requestOf(context).caller)),
  isPhoneAsked: url.searchParams.has(phoneParam),
})

export const action = forms(({ request, context }: Route.ActionArgs) => ({
  // The e-mail and password: the form without an intent.
  '': form(signInInput, async (input) => {
    const { headers, value } = await signIn(requestOf(context).caller, input)
    const here = input.next ? `/signin?next=${encodeURIComponent(input.next)}` : '/signin'
    return redirect(value.secondStep ? here : (input.next ?? '/'), { status: 303, headers })
  }),
  'advance-day': form(noFields, async () => {
    const moved = await (requestOf(context).advanceDay ?? refuse('not-found'))()
    return redirectWithToast('/signin', 'Pasó un día', `Se recorrieron ${moved}.`)
  }),
  ...secondStepForms(request, context),
}))

/** With JavaScript a lost network leaves the form as it is. */
export async function clientAction({ request, serverAction }: Route.ClientActionArgs) {
  const fields = await typedFields(request)
  if (fields.intent !== undefined) return orKept(fields, serverAction)
  const next = fields.next || '/'
  return formAnswer(fields, sessionOperations.signIn(fields), ({ secondStep }) =>
    redirect(secondStep ? `/signin?next=${encodeURIComponent(next)}` : next),
  )
}

/** After the screen: only a phone of a technician has any. */
const KeptHere = lazyOr(
  () => import('../../offline/kept-here.tsx').then((part) => part.default),
  ({ children }) => children,
)

export default function SignIn({ loaderData, actionData }: Route.ComponentProps) {
  const { canAdvance, demo, hasOutbox, isPhoneAsked, provider, next, ended, secondStep } = loaderData
  const carried = useCarriedCode()
  const isHydrated = useHydrated()
  if (secondStep) {
    const { phone } = secondStep
    if (phone && isPhoneAsked) return <PhoneStep ending={phone} next={next} />
    return <SecondStep ways={secondStep} next={next} />
  }
  const words = ended && (
    <Alert tone="info" title="Tu sesión terminó">
      {next ? 'Entra otra vez y sigues donde estabas.' : 'Entra otra vez para seguir.'}
    </Alert>
  )
  return (
    <>
      <meta
        name="description"
        content="Entra a tu cuenta: tus citas, cotizaciones, pagos y papeles del cargador de tu auto eléctrico en casa."
      />
      <Card>
        <PageHeader title="Iniciar sesión" />
        {!actionData && isHydrated && (
          <Suspense fallback={words}>
            <KeptHere ended={ended}>{words}</KeptHere>
          </Suspense>
        )}
        {!actionData && !isHydrated && words}
        <Form result={actionData}>
          <Field
            label="Correo electrónico"
            name="email"
            type="email"
            autoComplete="username webauthn"
            inputMode="email"
            enterKeyHint="next"
          />
          <PasswordField
            label="Contraseña"
            name="password"
            autoComplete="current-password"
            enterKeyHint="go"
          />
          {next && <input type="hidden" name="next" value={next} />}
          <Submit>Iniciar sesión</Submit>
        </Form>
        <PasskeyPlace next={next} />
        <ProviderForm provider={provider} next={next} terms />
        <p className="text-center text-[0.9375rem]">
          <Link to="/recover-password">¿Olvidaste tu contraseña?</Link>
        </p>
        <p className="text-center text-[0.9375rem] text-mute">
          ¿Aún no tienes cuenta? <Link to={withNext(`/signup${carried}`, next)}>Crear cuenta</Link>
        </p>
      </Card>
      <WhatThisIs to={`/approach${carried}`} />
      {demo && <DemoSignIns people={demo} canAdvance={canAdvance} hasOutbox={hasOutbox} />}
    </>
  )
}

const PasskeyButton = lazyOr(
  () => import('./passkeys/passkey-button.tsx').then((part) => part.default),
  () => null,
)

type PasskeyPlaceProps = { next: string | null; secondStep?: 'primary' | 'ghost' }

/** Room for a button whose code comes after the screen; browsers without scripts or passkeys have none. */
function PasskeyPlace(props: PasskeyPlaceProps) {
  const can = useCanUsePasskeys()
  const lacking = props.secondStep ? (
    <p>
      Este navegador no puede usar tu llave. Entra con un código de recuperación, o desde un navegador actual
      con JavaScript.
    </p>
  ) : null
  if (can === false) return lacking
  return (
    <>
      <noscript>{lacking}</noscript>
      <div className="grid min-h-12 noscript:hidden">
        {can && (
          <Suspense>
            <PasskeyButton {...props} />
          </Suspense>
        )}
      </div>
    </>
  )
}

/** The sign-in is where "/" leads visitors, so it says what is behind it. */
const WhatThisIs = ({ to }: { to: string }) => (
  <section className="flex items-center gap-4 rounded-card bg-brand-soft p-4">
    <img
      src="/icons/finished.webp"
      alt=""
      width={112}
      height={84}
      className="aspect-4/3 w-28 rounded-control object-cover"
    />
    <p className="grid gap-1 text-[0.9375rem]">
      <strong className="font-semibold">Instalamos el cargador de tu auto eléctrico en tu casa</strong>
      <Link to={to}>Cómo funciona y cuánto cuesta</Link>
    </p>
  </section>
)

type Demo = { people: readonly { email: string; label: string }[]; canAdvance: boolean; hasOutbox: boolean }

function DemoSignIns({ canAdvance, hasOutbox, people }: Demo) {
  return (
    <Card title="Mundo de demostración">
      <p className="text-sm text-mute">
        Cuentas de demostración con datos ficticios. La contraseña de todas es{' '}
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
      {canAdvance && (
        <Form intent="advance-day">
          <p className="text-sm text-mute">
            Adelanta la demostración: lo que está abierto queda un día más cerca y salen los recordatorios,
            vencimientos y confirmaciones que tocan.
            {hasOutbox && (
              <>
                {' '}
                Los correos quedan en <Link to="/dev/correo">Correo de prueba</Link>.
              </>
            )}
          </p>
          <Submit variant="ghost">Avanzar un día</Submit>
        </Form>
      )}
    </Card>
  )
}

/** What the address says once a code by phone was asked for. */
const phoneParam = 'codigo'

/** Any code of the second step, or another account instead. */
function secondStepForms(request: Request, context: LoaderContext) {
  const cookies = request.headers.get('cookie')
  const input = secondStepInput
  const startOver = (over: string, headers: Headers) => {
    forgetChallenge(cookies, headers)
    return redirectWithToast('/signin', 'Vuelve a iniciar sesión', over, 'destructive', headers)
  }
  const take = async ({ next, ...typed }: StepCode & { next: string | null }) => {
    const { headers, over } = await takeSecondStep(requestOf(context).caller, typed)
    if (over) return startOver(over, headers)
    forgetChallenge(cookies, headers)
    return redirect(next ?? '/', { status: 303, headers })
  }
  // Without a challenge, the library would continue the session that the browser still sends.
  const asked = async () => {
    if (!isHalfSigned(cookies))
      throw await redirectWithToast('/signin', 'Vuelve a iniciar sesión', tooLate, 'destructive')
  }
  return {
    ...checked(asked, {
      'totp-code': form(input['totp-code'], take),
      'recovery-code': form(input['recovery-code'], take),
      'phone-code': form(input['phone-code'], take),
      'send-phone-code': form(input['send-phone-code'], async ({ next }) => {
        const { headers, over } = await sendPhoneCode(requestOf(context).caller)
        if (over) return startOver(over, headers)
        const here = withNext(`/signin?${phoneParam}=whatsapp`, next)
        const words = 'Si no llega en un minuto, entra de otra forma o pide ayuda.'
        return redirectWithToast(here, 'Pediste un código', words, 'default', headers)
      }),
    }),
    'start-over': form(input['start-over'], async () => {
      const headers = new Headers()
      forgetChallenge(cookies, headers)
      return redirect('/signin', { status: 303, headers })
    }),
  }
}

type SecondStepProps = { ways: SecondStepWays; next: string | null }

const secondStepWords = {
  app: {
    title: 'Escribe tu código',
    subtitle: 'Abre tu aplicación de códigos y copia el que muestra para esta cuenta.',
  },
  passkey: {
    title: 'Usa tu llave',
    subtitle: 'La contraseña es correcta. Falta tu llave de acceso.',
  },
  recovery: {
    title: 'Usa un código de recuperación',
    subtitle:
      'Tu cuenta ya no tiene llaves de acceso. Entra con uno de los códigos que guardaste, y agrega otra llave.',
  },
}

/** What /signin shows between the password and the session: a passkey, a code of the authenticator, or one for recovery. */
function SecondStep({ ways, next }: SecondStepProps) {
  const isRecovering = useFormResult(['recovery-code', 'send-phone-code']) !== undefined
  const where = next && <input type="hidden" name="next" value={next} />
  const words = secondStepWords[ways.app ? 'app' : ways.passkey ? 'passkey' : 'recovery']
  return (
    <Card>
      <PageHeader {...words} />
      {ways.app && (
        <Form intent="totp-code">
          {where}
          <Field
            label="Código de 6 dígitos"
            name="code"
            inputMode="numeric"
            autoComplete="one-time-code"
            enterKeyHint="go"
          />
          <Submit>Entrar</Submit>
        </Form>
      )}
      {ways.passkey && <PasskeyPlace next={next} secondStep={ways.app ? 'ghost' : 'primary'} />}
      <Details
        summary={
          ways.phone ? 'Otra forma de entrar' : ways.app ? 'No tengo mi teléfono' : 'No tengo mi llave'
        }
        open={isRecovering || !(ways.app || ways.passkey)}
      >
        {ways.phone && (
          <SendPhoneCode
            next={next}
          >{`Enviar un código a tu WhatsApp (termina en ${ways.phone})`}</SendPhoneCode>
        )}
        <Form intent="recovery-code">
          {where}
          <Field
            label="Código de recuperación"
            name="recoveryCode"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            enterKeyHint="go"
            help="Uno de los que guardaste al activar tu segundo factor. Cada uno sirve una vez."
          />
          <Submit variant="ghost">Entrar con este código</Submit>
        </Form>
        <p className="mt-4 text-[0.9375rem] text-mute">
          ¿Tampoco tienes tus códigos? Pide ayuda: quitamos tu segundo factor cuando sabemos que eres tú.
        </p>
      </Details>
      <Form intent="start-over" className="justify-items-center">
        <button type="submit" className="min-h-11 text-[0.9375rem] text-mute underline underline-offset-4">
          Entrar con otra cuenta
        </button>
      </Form>
    </Card>
  )
}

const SendPhoneCode = ({ next, children }: { next: string | null; children: ReactNode }) => (
  <Form intent="send-phone-code">
    {next && <input type="hidden" name="next" value={next} />}
    <Submit variant="ghost">{children}</Submit>
  </Form>
)

/** The same page once a code by phone was asked for. */
const PhoneStep = ({ ending, next }: { ending: string; next: string | null }) => (
  <Card>
    <PageHeader
      title="Revisa tu WhatsApp"
      subtitle={`El código llega al número que termina en ${ending} y vale ${phoneCodeMinutes} minutos.`}
    />
    <Form intent="phone-code">
      {next && <input type="hidden" name="next" value={next} />}
      <Field
        label="Código de 6 dígitos"
        name="phoneCode"
        inputMode="numeric"
        autoComplete="one-time-code"
        enterKeyHint="go"
      />
      <Submit>Entrar</Submit>
    </Form>
    <SendPhoneCode next={next}>Enviar otro código</SendPhoneCode>
    <p className="text-center text-[0.9375rem]">
      <Link to={withNext('/signin', next)}>Entrar de otra forma</Link>
    </p>
  </Card>
)
