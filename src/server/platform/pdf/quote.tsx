import { Text, View } from '@react-pdf/renderer'
import { Frame, Outstanding, Rows, Sentences } from './frame.tsx'
import { inHelvetica } from './helvetica.ts'
import type { PaperLine, PaperOption, QuotePaper } from './paper.ts'
import { styles } from './styles.ts'

/** A version of a quote as it was sent, with what proves that nothing of it was changed since. */
export const QuoteDocument = ({ paper }: { paper: QuotePaper }) => (
  <Frame {...paper} title="Cotización">
    {paper.notice && <Outstanding {...paper.notice} />}
    <Rows title="Para" rows={paper.people} />
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
      <Text style={styles.hash}>{`SHA-256 ${paper.digest.slice(0, 32)}\n${paper.digest.slice(32)}`}</Text>
    </View>
  </Frame>
)

const Option = ({ title, note, lines, addOns, sums }: PaperOption) => (
  <View style={styles.section}>
    <Text style={styles.heading} minPresenceAhead={60}>
      {inHelvetica(title)}
    </Text>
    {note !== '' && <Text style={[styles.small, styles.paragraph]}>{inHelvetica(note)}</Text>}
    <Heads />
    <Lines lines={lines} />
    {addOns.length > 0 && <Text style={styles.subheading}>Si lo agregas</Text>}
    <Lines lines={addOns} />
    <Sums sums={sums} />
  </View>
)

const Heads = () => (
  <View style={styles.row} wrap={false}>
    <Text style={[styles.what, styles.small]}>Concepto</Text>
    <Text style={[styles.figure, styles.small]}>Cantidad</Text>
    <Text style={[styles.figure, styles.small]}>Precio sin IVA</Text>
    <Text style={[styles.figure, styles.small]}>Importe sin IVA</Text>
  </View>
)

const Lines = ({ lines }: { lines: readonly PaperLine[] }) =>
  lines.map(({ description, quantity, unitPrice, amount }, nth) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: laid out once, and two lines may say the same
    <View key={nth} style={styles.row} wrap={false}>
      <Text style={styles.what}>{inHelvetica(description)}</Text>
      <Text style={styles.figure}>{inHelvetica(quantity)}</Text>
      <Text style={styles.figure}>{inHelvetica(unitPrice)}</Text>
      <Text style={styles.figure}>{inHelvetica(amount)}</Text>
    </View>
  ))

/** The last sum is what all come to. */
export const Sums = ({ sums }: Pick<PaperOption, 'sums'>) => (
  <View wrap={false}>
    {sums.map(({ label, value }) => (
      <View key={label} style={styles.sum}>
        <Text style={styles.what}>{inHelvetica(label)}</Text>
        <Text style={styles.total}>{inHelvetica(value)}</Text>
      </View>
    ))}
  </View>
)
