import type { Failure } from '../lib/submit.ts'
import { Card } from '../ui/card.tsx'
import { Checkbox } from '../ui/checkbox.tsx'
import { Form } from '../ui/form.tsx'
import { Submit } from '../ui/submit.tsx'

type SecondFactorFormProps = { version: number; result: Failure | undefined }

/** The way back in for somebody who lost their phone and their recovery codes. */
export function SecondFactorForm({ version, result }: SecondFactorFormProps) {
  return (
    <Card title="Segundo factor">
      <p className="text-mute">
        Lo tiene activado. Quítalo solo si perdió su teléfono y sus códigos de recuperación: se cierran sus
        sesiones, entra con su contraseña y le avisamos por correo.
      </p>
      <Form result={result}>
        <input type="hidden" name="intent" value="remove-second-factor" />
        <input type="hidden" name="version" value={version} />
        <Checkbox label="Hablé con esa persona y me lo pidió" name="confirmed" value="yes" />
        <Submit variant="destructive" className="sm:justify-self-start">
          Quitar segundo factor
        </Submit>
      </Form>
    </Card>
  )
}
