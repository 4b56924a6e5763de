import { Text, View } from '@react-pdf/renderer'
import { CodeCardDocument } from './code-card.tsx'
import { FactRows, Frame, Outstanding, printable, Sentences, styles } from './frame.tsx'
import { Digest, HandoverDocument, withPictures } from './handover.tsx'
import { LetterDocument, LettersDocument, withPrints } from './letters.tsx'
import type {
  ComparedOptions,
  Paper,
  PaperLine,
  PaperOption,
  QuotePaper,
  ReceiptPaper,
  StatementLine,
  StatementPaper,
  Sum,
} from './paper.ts'
import { as, moreOfTable, taggedPdf } from './tagged.ts'

/** The document's bytes. Takes a few tenths of a second of processor time. */
export const pdfOf = async (paper: Paper): Promise<Uint8Array> => taggedPdf(await documentOf(paper))

async function documentOf(paper: Paper) {
  switch (paper.kind) {
    case 'handover':
      return <HandoverDocument paper={await withPictures(paper)} />
    case 'quote':
      return <QuoteDocument paper={paper} />
    case 'receipt':
      return <ReceiptDocument paper={paper} />
    case 'statement':
      return <StatementDocument paper={paper} />
    case 'letter':
      return <LetterDocument paper={paper} />
    case 'letters':
      return <LettersDocument paper={await withPrints(paper)} />
    case 'code':
      return <CodeCardDocument paper={paper} />
  }
}

/** The customer's receipt of a payment. */
const ReceiptDocument = ({ paper }: { paper: ReceiptPaper }) => (
  <Frame {...paper}>
    <Outstanding {...paper.amount} />
    <View style={styles.columns}>
      <FactRows beside title="Cliente" rows={paper.people} />
      <FactRows beside title="Pago" rows={paper.payment} />
    </View>
    <View style={styles.section}>
      <Sums sums={paper.sums} />
      <Text style={styles.small}>{printable(paper.inWords)}</Text>
    </View>
    <FactRows title="Emite" rows={paper.issuer} />
    <Sentences title="Lo que conviene saber" lines={paper.notes} />
  </Frame>
)

/** An agency's commissions of a month, with single lines for actors who may see them. */
const StatementDocument = ({ paper }: { paper: StatementPaper }) => (
  <Frame {...paper}>
    <Outstanding {...paper.closing} />
    <View style={styles.section}>
      <Sums sums={paper.account} />
    </View>
    <FactRows title="Comisiones del mes, por estado" rows={paper.states} />
    <Lines lines={paper.lines} />
    {paper.transfers.length > 0 && <FactRows title="Transferencias del mes" rows={paper.transfers} />}
    <FactRows title="Emite" rows={paper.issuer} />
    <Sentences title="Lo que conviene saber" lines={paper.notes} />
  </Frame>
)

const Lines = ({ lines }: { lines: readonly StatementLine[] }) => (
  <View style={styles.section}>
    <Text {...as('H2')} style={styles.heading} minPresenceAhead={60}>
      Movimientos del mes
    </Text>
    {lines.length === 0 && <Text style={styles.paragraph}>No hubo comisiones ni ajustes.</Text>}
    <View {...as('Table')}>
      {lines.map(({ amount, basis, day, state, what }, nth) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: laid out once, and two lines may say the same
        <View key={nth} {...as('TR')} style={styles.row} wrap={false}>
          <Text {...as('TH')} style={styles.day}>
            {day}
          </Text>
          <View {...as('TD')} style={styles.what}>
            <Text>{printable(what)}</Text>
            <Text>{printable(basis)}</Text>
          </View>
          <Text {...as('TD')} style={styles.state}>
            {state}
          </Text>
          <Text {...as('TD')} style={styles.figure}>
            {amount}
          </Text>
        </View>
      ))}
    </View>
  </View>
)

/** A version of a quote as it was sent, with the digest that proves it unchanged. */
const QuoteDocument = ({ paper }: { paper: QuotePaper }) => (
  <Frame {...paper} title="Cotización">
    {paper.notice && <Outstanding {...paper.notice} />}
    <View style={styles.columns}>
      <FactRows beside title="Para" rows={paper.people} />
      <FactRows beside title="De" rows={paper.issuer} />
    </View>
    {paper.compared && <Compared {...paper.compared} />}
    {paper.basis && <Text style={styles.paragraph}>{printable(paper.basis)}</Text>}
    <Text style={[styles.small, styles.paragraph]}>
      Las partidas van sin IVA y suman el subtotal. El IVA se redondea en cada partida.
    </Text>
    {paper.options.map((option) => (
      <Option key={option.title} {...option} />
    ))}
    {paper.terms.map((terms) => (
      <Sentences key={terms.title} {...terms} />
    ))}
    <View wrap={false}>
      <Text style={styles.small}>
        Esta es la huella SHA-256 de lo que te enviamos: si cambia una sola cifra, cambia la huella.
      </Text>
      <Digest of={paper.digest} />
    </View>
  </Frame>
)

/** The options in a column each. */
const Compared = ({ heads, rows }: ComparedOptions) => (
  <View style={styles.section}>
    <Text {...as('H2')} style={styles.heading} minPresenceAhead={60}>
      Las opciones, lado a lado
    </Text>
    <View {...as('Table')}>
      <View {...as('TR')} style={styles.row} wrap={false}>
        <Text {...as('TH')} style={styles.what}>
          {' '}
        </Text>
        {heads.map((head) => (
          <Text key={head} {...as('TH')} style={[styles.figure, styles.strong]}>
            {printable(head)}
          </Text>
        ))}
      </View>
      {rows.map(({ isTotal, label, values }, nth) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: laid out once, and two items may have one name
        <View key={nth} {...as('TR')} style={styles.row} wrap={false}>
          <Text {...as('TH')} style={isTotal ? [styles.what, styles.strong] : styles.what}>
            {printable(label)}
          </Text>
          {values.map((value, at) => (
            <Text
              key={heads[at]}
              {...as('TD')}
              style={isTotal ? [styles.figure, styles.strong] : styles.figure}
            >
              {printable(value)}
            </Text>
          ))}
        </View>
      ))}
    </View>
  </View>
)

/** The rows that an option takes, of which some thirty fill a page: a longer word than fits in one goes on in another. */
const rowsOf = (lines: readonly PaperLine[]) =>
  lines.reduce((sum, { description }) => sum + Math.ceil(description.length / 46), 0)

/**
 * Whole on a page where it fits one; else neither its heading nor its total is left alone: three lines stay with each.
 * What may be added comes after the total, which leaves it out.
 */
function Option({ title, note, lines, addOns, sums }: PaperOption) {
  const last = Math.max(3, lines.length - 3)
  return (
    <View style={styles.option} wrap={rowsOf(lines) + rowsOf(addOns) + sums.length > 30}>
      <View wrap={false}>
        <Text {...as('H2')} style={styles.heading}>
          {printable(title)}
        </Text>
        {note !== '' && <Text style={[styles.small, styles.paragraph]}>{printable(note)}</Text>}
        <View {...as('Table')}>
          <Heads />
          <QuoteLines lines={lines.slice(0, 3)} />
        </View>
      </View>
      <View {...moreOfTable}>
        <QuoteLines lines={lines.slice(3, last)} />
      </View>
      <View wrap={false}>
        <View {...moreOfTable}>
          <QuoteLines lines={lines.slice(last)} />
        </View>
        <View style={styles.sums}>
          <Sums sums={sums} />
        </View>
      </View>
      {addOns.length > 0 && (
        <View style={styles.apart} wrap={false}>
          <Text {...as('H3')} style={styles.subheading}>
            {printable(`Opcional en ${title}: no está en el total`)}
          </Text>
          <View {...as('Table')}>
            <QuoteLines lines={addOns} />
          </View>
        </View>
      )}
    </View>
  )
}

const Heads = () => (
  <View {...as('TR')} style={styles.row} wrap={false}>
    <Text {...as('TH')} style={[styles.what, styles.small]}>
      Concepto
    </Text>
    <Text {...as('TH')} style={[styles.figure, styles.small]}>
      Cantidad
    </Text>
    <Text {...as('TH')} style={[styles.figure, styles.small]}>
      Precio sin IVA
    </Text>
    <Text {...as('TH')} style={[styles.figure, styles.small]}>
      Importe sin IVA
    </Text>
  </View>
)

const QuoteLines = ({ lines }: { lines: readonly PaperLine[] }) =>
  lines.map(({ description, quantity, unitPrice, amount }, nth) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: laid out once, and two lines may say the same
    <View key={nth} {...as('TR')} style={styles.row} wrap={false}>
      <Text {...as('TH')} style={styles.what}>
        {printable(description)}
      </Text>
      <Text {...as('TD')} style={styles.figure}>
        {printable(quantity)}
      </Text>
      <Text {...as('TD')} style={styles.figure}>
        {printable(unitPrice)}
      </Text>
      <Text {...as('TD')} style={styles.figure}>
        {printable(amount)}
      </Text>
    </View>
  ))

/** Amounts that belong together, on one page. */
const Sums = ({ sums }: { sums: readonly Sum[] }) => (
  <View {...as('Table')} wrap={false}>
    {sums.map(({ isTotal, label, value }) => (
      <View key={label} {...as('TR')} style={styles.sum}>
        <Text {...as('TH')} style={isTotal ? [styles.what, styles.strong] : styles.what}>
          {printable(label)}
        </Text>
        <Text {...as('TD')} style={isTotal ? [styles.amount, styles.strong] : styles.amount}>
          {printable(value)}
        </Text>
      </View>
    ))}
  </View>
)
