import { useEffect, useState } from 'react'
import { useSubmit } from 'react-router'
import { FormDetails, Submit, useFormResult } from '../../../kit/form/form.tsx'
import { Part } from '../../../kit/part-rows.tsx'
import { counted, longDate, relative } from '../../../shared/format.ts'
import { Alert } from '../../../ui/alert.tsx'
import { Button } from '../../../ui/button.tsx'
import type { OwnPasskey } from '../../providers.ts'
import type { SecondFactor } from '../../second-factor.ts'
import { OwnPassword, useCanUsePasskeys } from '../password-card.tsx'
import { Proof, recoveryCodesIn, SecondFactorCard } from '../second-factor-card.tsx'

type ToMake = PublicKeyCredentialCreationOptionsJSON

type PasskeysCardProps = AddProps & {
  passkeys: readonly OwnPasskey[]
  /** The browser has to make one now. */
  toMake: ToMake | undefined
  now: Date
}

/** What an answer says that the browser has to make. */
const toMakeIn = (answer: object | undefined): ToMake | undefined =>
  answer && 'toMake' in answer ? (answer.toMake as ToMake) : undefined

type PasskeyCardsProps = Omit<PasskeysCardProps, 'toMake'> & { answer: object | undefined }

/** Passkeys and the second factor, as the account pages of staff and of customers show them. */
export const PasskeyCards = ({ answer, ...own }: PasskeyCardsProps) => (
  <>
    <PasskeysCard {...own} toMake={toMakeIn(answer)} />
    <SecondFactorCard {...own} passkeys={own.passkeys.length} codes={recoveryCodesIn(answer)} />
  </>
)

/** The passkeys by which the user signs in: adding and removing them. */
function PasskeysCard({ passkeys, factor, hasPassword, toMake, now }: PasskeysCardProps) {
  const wasRefused = useFormResult(['passkey-start', 'passkey-remove']) !== undefined
  return (
    <Part
      id="llaves"
      title="Llaves de acceso"
      value={
        passkeys.length > 0 ? counted(passkeys.length, 'llave', 'llaves') : 'Entra con tu huella o tu rostro'
      }
      isOpen={wasRefused || toMake !== undefined}
    >
      <p>Entra con tu huella, tu rostro o el PIN de tu equipo, sin escribir tu contraseña.</p>
      {passkeys.length > 0 && (
        <ul className="grid divide-y divide-line">
          {passkeys.map((passkey) => (
            <li key={passkey.id} className="grid gap-2 py-3 first:pt-0">
              <p className="font-semibold">{passkey.name}</p>
              <p className="text-sm text-mute">
                Desde el {longDate(passkey.createdAt)}
                {passkey.lastUsedAt && ` · Último uso ${relative(passkey.lastUsedAt, now)}`}
              </p>
              <FormDetails summary="Quitar" intent="passkey-remove" target={{ passkeyId: passkey.id }}>
                {hasPassword && <OwnPassword />}
                <Submit variant="destructive">Quitar esta llave</Submit>
              </FormDetails>
            </li>
          ))}
        </ul>
      )}
      {toMake ? <Making toMake={toMake} /> : <Add factor={factor} hasPassword={hasPassword} />}
    </Part>
  )
}

type AddProps = { factor: SecondFactor; hasPassword: boolean }

function Add({ factor, hasPassword }: AddProps) {
  const can = useCanUsePasskeys()
  const lacking = <p className="text-mute">Para agregar una necesitas un navegador actual, con JavaScript.</p>
  if (can === false) return lacking
  return (
    <>
      <noscript>{lacking}</noscript>
      <FormDetails summary="Agregar una llave" intent="passkey-start" className="noscript:hidden">
        {factor.state === 'on' ? <Proof byPasskey={factor.byPasskey} /> : hasPassword && <OwnPassword />}
        <Submit>Agregar llave</Submit>
      </FormDetails>
    </>
  )
}

/** Makes one, as the browser tells the server; or why it did not. */
async function makePasskey(asked: ToMake) {
  try {
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(asked)
    return { credential: JSON.stringify(await navigator.credentials.create({ publicKey })) }
  } catch (error) {
    return { isKnown: (error as Error).name === 'InvalidStateError' }
  }
}

/** The browser's own dialog, opened at once and again on request; what it made is sent. */
function Making({ toMake }: { toMake: ToMake }) {
  const submit = useSubmit()
  const [failed, setFailed] = useState<{ isKnown?: boolean }>()
  const make = async () => {
    const made = await makePasskey(toMake)
    if (!made.credential) return setFailed(made)
    const { credential } = made
    await submit({ intent: 'passkey-add', credential }, { method: 'post', preventScrollReset: true })
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each that the server asks for.
  useEffect(() => {
    void make()
  }, [toMake])
  if (!failed) return <p role="status">Sigue los pasos de tu navegador para guardar tu llave.</p>
  return (
    <>
      <Alert
        tone="wait"
        title={failed.isKnown ? 'Este equipo ya tiene una llave tuya' : 'No se guardó la llave'}
      >
        {failed.isKnown ? 'Ya puedes entrar con ella.' : 'Vuelve a intentarlo cuando quieras.'}
      </Alert>
      {!failed.isKnown && (
        <Button variant="ghost" onClick={make}>
          Intentar otra vez
        </Button>
      )}
    </>
  )
}
