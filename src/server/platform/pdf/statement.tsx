import { Text, View } from '@react-pdf/renderer'
import { Frame, Outstanding, Rows, Sentences } from './frame.tsx'
import { inHelvetica } from './helvetica.ts'
import type { StatementLine, StatementPaper } from './paper.ts'
import { Sums } from './quote.tsx'
import { styles } from './styles.ts'

/** What an agency's commissions of a month come to, with each of them for whoever may see them. */
export const StatementDocument = ({ paper }: { paper: StatementPaper }) => (
  <Frame {...paper}>
    <Outstanding {...paper.closing} />
    <View style={styles.section}>
      <Sums sums={paper.account} />
    </View>
    <Rows title="Comisiones del mes, por estado" rows={paper.states} />
    {paper.lines && <Lines lines={paper.lines} />}
    {paper.transfers.length > 0 && <Rows title="Transferencias del mes" rows={paper.transfers} />}
    <Sentences title="Lo que conviene saber" lines={paper.notes} />
  </Frame>
)

const Lines = ({ lines }: { lines: readonly StatementLine[] }) => (
  <View style={styles.section}>
    <Text style={styles.heading} minPresenceAhead={60}>
      Movimientos del mes
    </Text>
    {lines.length === 0 && <Text style={styles.paragraph}>No hubo comisiones ni ajustes.</Text>}
    {lines.map(({ amount, basis, day, state, what }, nth) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: laid out once, and two lines may say the same
      <View key={nth} style={styles.row} wrap={false}>
        <Text style={styles.day}>{day}</Text>
        <Text style={styles.what}>{inHelvetica(`${what}\n${basis}`)}</Text>
        <Text style={styles.state}>{state}</Text>
        <Text style={styles.figure}>{amount}</Text>
      </View>
    ))}
  </View>
)
