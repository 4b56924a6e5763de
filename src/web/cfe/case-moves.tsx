import { type CaseMoveName, caseMoveLabels, correctorOptions, needsReason } from '../../domain/cfe/case.ts'
import type { ShownCase } from '../../server/cfe/queries.ts'
import { Details } from '../ui/details.tsx'
import { Field, TextArea } from '../ui/field.tsx'
import { Form } from '../ui/form.tsx'
import { Select } from '../ui/select.tsx'
import { Submit } from '../ui/submit.tsx'
import { Unheard } from '../ui/unheard.tsx'
import type { Heard } from './heard.ts'

type CaseMovesProps = { shown: ShownCase; heard: Heard }

/** What whoever works on a case may do with it now: what leads on as buttons, what needs a reason folded away. */
export function CaseMoves({ shown, heard }: CaseMovesProps) {
  const { moves, row, unvalidated } = shown
  const [onward, reasoned] = [moves.filter((name) => !needsReason(name)), moves.filter(needsReason)]
  const lost = heard('case.move')
  const isThere = moves.some((name) => name === lost?.values.move)
  return (
    <>
      {!isThere && <Unheard result={lost} />}
      {row.state === 'gathering' && unvalidated > 0 && moves.length > 0 && (
        <p>
          {unvalidated === 1
            ? 'Falta 1 documento por validar.'
            : `Faltan ${unvalidated} documentos por validar.`}
        </p>
      )}
      {onward.map((name, at) => (
        <Form key={name} result={heard('case.move', name)} className="gap-3">
          <Sent name={name} version={row.version} />
          {name === 'file' && (
            <Field
              label="Número de solicitud que dio CFE"
              name="requestNumber"
              optional
              maxLength={40}
              autoComplete="off"
              defaultValue={row.requestNumber ?? ''}
            />
          )}
          <Submit
            name="intent"
            value="case.move"
            variant={at === 0 && name !== 'reopen' ? 'primary' : 'ghost'}
            className="justify-self-start max-sm:w-full"
          >
            {caseMoveLabels[name]}
          </Submit>
        </Form>
      ))}
      {reasoned.map((name) => (
        <Reasoned key={name} name={name} version={row.version} result={heard('case.move', name)} />
      ))}
    </>
  )
}

type ReasonedProps = { name: CaseMoveName; version: number; result: ReturnType<Heard> }

const Reasoned = ({ name, result, version }: ReasonedProps) => (
  <Details summary={caseMoveLabels[name]} open={result !== undefined}>
    <Form result={result}>
      <Sent name={name} version={version} />
      <TextArea
        label={name === 'observe' ? '¿Qué observó CFE?' : 'Motivo'}
        name="reason"
        maxLength={500}
        help="El cliente lo lee en su página y en su correo."
      />
      {name === 'observe' && (
        <Select
          label="¿Quién lo corrige?"
          name="correctedBy"
          placeholder="Elige"
          options={correctorOptions}
        />
      )}
      <Submit
        name="intent"
        value="case.move"
        variant={name === 'cancel' || name === 'reject' ? 'destructive' : 'ghost'}
        className="justify-self-start max-sm:w-full"
      >
        {caseMoveLabels[name]}
      </Submit>
    </Form>
  </Details>
)

const Sent = ({ name, version }: Pick<ReasonedProps, 'name' | 'version'>) => (
  <>
    <input type="hidden" name="move" value={name} />
    <input type="hidden" name="version" value={version} />
  </>
)
