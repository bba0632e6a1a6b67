/** Text to read and copy. It scrolls, so it takes the keyboard. */
export function CodeBlock({ label, text }: { label: string; text: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must take the keyboard
    <section className="code" tabIndex={0} aria-label={label}>
      <pre>{text}</pre>
    </section>
  )
}
