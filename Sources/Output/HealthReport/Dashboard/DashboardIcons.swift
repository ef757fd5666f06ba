import ContentDigests

/// The icons of the hub's pages, and what a phone needs to keep the page on its home screen (R59).
package enum DashboardIcons {
  /// A ring.
  package static let drawing = """
    <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40"><g fill="none" stroke-width="7">\
    <circle cx="20" cy="20" r="15.9" stroke="#9bb5b5"/>\
    <path d="M20 4.1a15.9 15.9 0 1 1-15.1 11" stroke="#0b8a80" stroke-linecap="round"/></g></svg>

    """

  /// What a phone that wants to install the page reads. There is no service worker: nothing of the
  /// pages is kept on the phone.
  package static func manifest(_ paths: PageFrame.Paths) -> String {
    """
    {"name":"Health","short_name":"Health","start_url":"\(paths.page)","display":"standalone",\
    "background_color":"#111619","theme_color":"#0b6b6b","icons":[\
    {"src":"\(paths.picture)","sizes":"192x192","type":"image/png"},\
    {"src":"\(paths.icon)","sizes":"any","type":"image/svg+xml"}]}

    """
  }

  /// The same ring as a PNG of 192 by 192, for phones that take no drawing.
  package static let picture = Base64.decode(encoded.utf8) ?? []

  private static let encoded = """
    iVBORw0KGgoAAAANSUhEUgAAAMAAAADABAMAAACg8nE0AAAAHlBMVEX///+btbULioDw8PDAwMCQwMBgwMDA8PAwkJBgkJ\
    DOtcqGAAAEF0lEQVR42u1bS08bMRBesXns1QKkcqvcNGxvUKjEkQRKr9BIFb2hFUp7RBGqOKZBlPZIT/25DUnaXXsfnm9s\
    q5Xwd413JvPyeDzjKAoICAgICAgICHh62Ns//jCe4/KdD+rx8ZkQ53KJdHzomvxbMceWzPHNJYv4Wiwwk0Xc7bii3x0s6W\
    9JFempG/r7YoVzqeOTU/riZ4mBvHdJXzOBIw4F+kJK9xyK9LcqGchbG/otYWYgLyz8/4zCIL1iMxgIBTUMZJ9L/41Kv9KL\
    bMwQa/Sr4mCFQxcKEuKZdKqkfZ1+rZV5SlI9yKSjdMfawgYR7q0tXLOfsu28W8lAzHNyjbP27AXYPN5b/nhdyeTQVoCjgh\
    3jkzKDbTsX2tDcpJtZOVLJhSpOQuc2saAH8VHVohtdBGYaqKNf5nDBNfGobt0N01M1H92oX6lZmmrmtur+DZ/FakBMWSZu\
    DKAOZ9dWNbTevHiocLjCNbRp0KuqpCmuoZFp9QGsoxgRQBdhB42ykXn9AaqjXUgATYRt0AQjik4PsP1IMQEpNGPMUVv0GK\
    iKhSlkAmIW7EBGGIiP338sE9omdXecAUaIxa/HZQ+AhqLoNWCE1jITpoCGVB2Zsk57Je4doCFFR88NS/8kqRTQUBRNcgYv\
    DUv/5qgHuoaiKCFbOY/7rwI453TJ+107F3UDOakVjHBKlPXVOsJgQo3ltVyX0GE2obrRkFn9tqmno4xzEHwENW3OuIUj9Z\
    +xK5aClRt3InrI13pHY6nTYd+hEL/ssKvGFo1Bgp+Uy4l5SosztLCekaw34V9vZKS0PHTBoEdi0EMZ0D7NeGU1XbsZN86K\
    /vFUGExRBgnIAL7O7QQGrhl4N3IItH+12Xnfrr0nHO8p03vS935s8X7w8n509H74jSQ30ojHd/8FSEb8I+wSakitd7lF4J\
    rkpRxyGZswrUwuxNuSt1mQrxJi+KYbvAwp/pUpywQmwd+zjABcSK2xjABcqSH3e6yPiuZ64eNaE7pkZX0zwXWEXS0neOcN\
    uxzvwp038Hq/qFBagxVsUChGSH20WBKwRww3iWKszY23udQW6y0kQB/dGs0icFqNXaQLzWmWam3oC2oQ0486CXmcgdmwjs\
    nDQ8yWu6bY+skb7tCAptlaDvyxh2hG4WAxuKFGz6LrVV5jNXoSl+Z7+pqLWw7PKFvqCpcux3+KpU7+F8erGR0XA0y6p+ZM\
    HI1gVYrQCFCAshMagM+1xjOEPmOQrxwLTWDNa2Z0+ryJ05ZHC4NKYs8VZz4VtNhwSJ5kMVRcSgyux6JJZrAa7CYEtPXw+4\
    1n+gYODuhH0Zd6+k4eOOTjKNLTE435zlo5TOzukcnjvvRZJ+/0mcyCRTFXun/os0z2J+Oxv6dKAQEBAQEBAQEB/zl+A3Mg\
    RAq0Li5dAAAAAElFTkSuQmCC
    """
}
