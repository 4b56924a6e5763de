import type { Failure } from '../lib/submit.ts'
import { Details } from '../ui/details.tsx'
import { Form } from '../ui/form.tsx'
import { Submit } from '../ui/submit.tsx'

/** Where video finds no way: the call is held by phone, and begins by hand. In the room it begins by itself. */
export const ByPhone = ({ result }: { result: Failure | undefined }) => (
  <Details summary="Hacerla por teléfono" open={result !== undefined}>
    <Form result={result}>
      <p className="text-[0.9375rem] text-mute">
        Si el video no funciona, llámale. La asesoría queda en curso y la terminas aquí.
      </p>
      <Submit name="move" value="start" variant="ghost">
        Iniciar por teléfono
      </Submit>
    </Form>
  </Details>
)
