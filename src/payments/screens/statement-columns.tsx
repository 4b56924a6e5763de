import { Checkbox, Field, Select } from '../../kit/form/field.tsx'
import { Form, Submit, useFormResult } from '../../kit/form/form.tsx'
import { counted, lowerFirst, money, shortDate, thousands } from '../../shared/format.ts'
import { Alert } from '../../ui/alert.tsx'
import { Card, Details } from '../../ui/card.tsx'
import { FigureTable } from '../../ui/figure-table.tsx'
import { dateOrders } from '../rules/bank-cells.ts'
import {
  answerName,
  type BankField,
  bankFields,
  neededFields,
  otherName,
  signAnswers,
} from '../rules/bank-columns.ts'
import type { BankLine } from '../rules/bank-statement.ts'
import type { draftStatement } from '../statement-drafts.ts'
import { paymentPartPath } from './office-path.ts'

type Draft = NonNullable<Awaited<ReturnType<typeof draftStatement>>>
type Preview = NonNullable<Draft['preview']>

/** How a file is read by its columns, as we guess them or at the user's request; what must be asked; which column is what. */
export function StatementColumns({ draft }: { draft: Draft }) {
  const { answers, digest, headings, id, name, preview, version } = draft
  const isRefused = useFormResult('read-statement') !== undefined
  return (
    <Form intent={['read-statement', 'preview-statement', 'discard-statement']} className="max-w-3xl gap-4">
      <h2 className="text-lg font-semibold wrap-anywhere">{name}</h2>
      <input type="hidden" name="statementId" value={id} />
      <input type="hidden" name="version" value={version} />
      <input type="hidden" name="seen" value={digest} />
      {/* Answers about words that this file lacks stay. */}
      {Object.entries(answers).map(([word, answer]) =>
        preview?.asked.some((asked) => asked.word === word) ? null : (
          <input key={word} type="hidden" name={answerName + word} value={answer} />
        ),
      )}
      {preview ? (
        <PreviewCard draft={draft} preview={preview} />
      ) : (
        <p className="text-mute">Elige la columna de la fecha y la de la cantidad, y mira cómo queda.</p>
      )}
      <Questions draft={draft} />
      <Details summary="Columnas del archivo" open={isRefused || !preview}>
        <ColumnFields columns={draft.columns} headings={headings} />
      </Details>
      <div className="grid gap-3 sm:flex sm:flex-wrap">
        <Submit name="intent" value="read-statement">
          Importar movimientos
        </Submit>
        <Submit name="intent" value="preview-statement" variant="ghost">
          Vista previa
        </Submit>
        <Submit name="intent" value="discard-statement" variant="ghost" formAction={paymentPartPath('banco')}>
          Descartar archivo
        </Submit>
      </div>
    </Form>
  )
}

/** What must be answered before the file is imported. */
const Questions = ({ draft }: { draft: Draft }) => (
  <Card title="Antes de importar">
    <Field
      label="Cuenta del banco"
      name="account"
      defaultValue={draft.account}
      maxLength={60}
      help={accountHelp(draft)}
    />
    {draft.preview?.asked.map(({ answer, cells, count, row, word }) => (
      <Select
        key={word}
        label={
          word ? `¿«${word.toUpperCase()}» es dinero que entró o que salió?` : '¿Sin signo, entró o salió?'
        }
        name={answerName + word}
        options={Object.entries(signAnswers).map(([value, label]) => ({ value, label }))}
        placeholder="Elige"
        defaultValue={answer}
        help={`${counted(count, 'renglón', 'renglones')}, por ejemplo el ${row}: ${shownCells(cells)}`}
      />
    ))}
    {draft.preview && draft.preview.alike.total > 0 && <AlikeList alike={draft.preview.alike} />}
  </Card>
)

function accountHelp({ account, accountFrom: { isNamed, others, readAt } }: Draft): string {
  if (account && isNamed) return 'La dice el archivo.'
  if (readAt) return `Como en tu archivo del ${shortDate(readAt)}. Cámbiala si este es de otra cuenta.`
  if (others.length > 1)
    return `Ya subiste archivos como este de las cuentas ${others.join(', ')}. ¿De cuál es este?`
  return 'Sus últimos 4 dígitos, o un nombre. Así reconocemos un movimiento que ya tienes.'
}

const shownCells = (cells: readonly string[]) => cells.filter(Boolean).join(', ').slice(0, 120)

/** A column is known by its heading, or otherwise by its content. */
function ColumnFields({ columns, headings }: Pick<Draft, 'columns' | 'headings'>) {
  const options = headings.map((words, at) => ({
    value: String(at),
    label: words ? `${at + 1}: ${words}` : `${at + 1}`,
  }))
  return (
    <>
      <p className="text-mute">
        Lo que no tenga tu archivo, déjalo vacío. Si el texto viene en varias columnas, elige hasta tres: en
        cualquiera puede venir el folio del pago.
      </p>
      <div className="grid gap-5 sm:grid-cols-2">
        {(Object.keys(bankFields) as BankField[]).map((field) => (
          <Select
            key={field}
            label={bankFields[field]}
            name={field}
            options={options}
            placeholder="No está"
            {...(!neededFields.some((needed) => needed === field) && { optional: true })}
            defaultValue={columns[field] === undefined ? '' : String(columns[field])}
          />
        ))}
        <Select
          label="Orden de las fechas"
          name="order"
          options={Object.entries(dateOrders).map(([value, label]) => ({ value, label }))}
          placeholder="El que se nota en el archivo"
          optional
          defaultValue={columns.order ?? ''}
        />
      </div>
    </>
  )
}

function PreviewCard({ draft, preview }: { draft: Draft; preview: Preview }) {
  const { debits, firstDebit, known, lines, unread } = preview
  const example = firstDebit && [firstDebit.description, firstDebit.amount && money(firstDebit.amount)]
  return (
    <Card title="Vista previa">
      <BalanceNote draft={draft} balance={preview.balance} />
      <p className="text-mute">
        {`${counted(lines.total, 'abono', 'abonos')}${known > 0 ? `, ${thousands(known)} que ya tienes` : ''}. `}
        {debits > 0 && `Dejamos fuera ${counted(debits, 'cargo', 'cargos')}`}
        {example && `, por ejemplo ${example.filter(Boolean).join(' ')} (renglón ${firstDebit.row}). `}
        {datesWords(preview.dates)}
      </p>
      {lines.total > 0 && (
        <div className="overflow-x-auto">
          <FigureTable
            caption="Primeros abonos del archivo"
            columns={previewColumns}
            rows={lines.first}
            rowKey={({ row }) => row}
          />
        </div>
      )}
      {unread.total > 0 && (
        <div className="grid gap-1">
          <h3 className="font-semibold">{counted(unread.total, 'renglón sin leer', 'renglones sin leer')}</h3>
          <ul className="grid gap-1 text-sm wrap-anywhere">
            {unread.first.map(({ cells, reason, row }) => (
              <li key={row}>
                {`Renglón ${row}: ${reason}. `}
                <span className="text-mute">{shownCells(cells)}</span>
              </li>
            ))}
          </ul>
          {unread.total > unread.first.length && (
            <p className="text-sm">{`y ${thousands(unread.total - unread.first.length)} más.`}</p>
          )}
        </div>
      )}
    </Card>
  )
}

function datesWords(dates: Preview['dates']): string {
  if (!dates) return ''
  const order = lowerFirst(dateOrders[dates.order])
  return dates.isAssumed
    ? `Suponemos que las fechas vienen como ${order}: si no, cambia su orden en «Columnas del archivo».`
    : `Las fechas se leen como ${order}.`
}

/** What the balances prove, or what is assumed without them. */
function BalanceNote({
  balance,
  draft: { columns, headings },
}: {
  balance: Preview['balance']
  draft: Draft
}) {
  if (balance === 'follows') return <Alert tone="ok" title="Cuadra con tus saldos" />
  if (balance === 'none')
    return (
      <Alert tone="info" title="Sin saldos no podemos comprobarlo">
        {`Leemos «${headings[columns.credit!]}» ${columns.sign === undefined ? 'como lo recibido' : `según «${headings[columns.sign]}»`}.`}
      </Alert>
    )
  return (
    <Alert tone="bad" title={`El renglón ${balance.row} no cuadra con tus saldos`}>
      {`Debería quedar en ${money(balance.expected)} y dice ${money(balance.found)}. Puede faltar un renglón antes.`}
    </Alert>
  )
}

/** Movements like known ones, of which the user ticks those that are others. */
const AlikeList = ({ alike }: Pick<Preview, 'alike'>) => (
  <fieldset className="grid gap-1">
    <legend className="font-semibold">Parecen movimientos que ya tienes. ¿Cuáles son otros?</legend>
    {alike.first.map(({ like, line }) => (
      <Checkbox
        key={line.row}
        name={otherName + line.row}
        label={`Es otro: ${money(line.amount)}, ${shortDate(line.bookedOn)}, ${line.description}`}
        help={
          'id' in like
            ? `Parece el que ya tienes del ${shortDate(like.bookedOn)}: ${like.description}`
            : `Trae la misma clave que el renglón ${like.row}`
        }
      />
    ))}
    {alike.total > alike.first.length && (
      <p>{`Otros ${thousands(alike.total - alike.first.length)} quedan fuera. Para verlos, sube el archivo por partes.`}</p>
    )}
  </fieldset>
)

const previewColumns = [
  {
    header: 'Movimiento',
    cell: ({ bookedOn, description, trackingKey }: BankLine) => (
      <span className="grid wrap-anywhere">
        <span className="font-medium">{shortDate(bookedOn)}</span>
        {[description, trackingKey].filter(Boolean).join(', ')}
      </span>
    ),
  },
  { header: 'Cantidad', numeric: true, cell: ({ amount }: BankLine) => money(amount) },
]
